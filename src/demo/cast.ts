/** The cast of the demo. Companies, people and messages are made up. */
export interface DemoForm {
  readonly name: string;
  readonly slug: string;
  /** Leads per day, on average. */
  readonly perDay: number;
  /** When leads stopped, because the form or its workspace was closed. */
  readonly endedDaysAgo?: number;
  /** Whole days without leads: until, from. */
  readonly quietDaysAgo?: readonly [until: number, from: number];
  readonly topics: readonly string[];
}

export interface DemoWorkspace {
  readonly name: string;
  readonly forms: readonly DemoForm[];
}

export const workspaces: readonly DemoWorkspace[] = [
  {
    name: 'Brightwater Logistics',
    forms: [
      {
        name: 'Website contact',
        slug: 'brightwater-contact',
        perDay: 42,
        topics: [
          'We ship about forty pallets a week from Leeds and would like a quote for next quarter.',
          'Could somebody call me about cold storage? We start in May.',
          'What does customs clearance for machine parts to Norway cost?',
          'We are not happy with our forwarder and are looking for a new one. Ten trucks a month.',
        ],
      },
      {
        name: 'Quote request',
        slug: 'brightwater-quote',
        perDay: 27,
        topics: [
          'Two containers from Shenzhen to Hamburg, 18 tonnes each, ready on the 12th.',
          'Quote for weekly groupage to Milan, please. Around 3 loading metres.',
          'Price per pallet and month for 250 pallets, dry goods?',
        ],
      },
      {
        name: 'Spring campaign',
        slug: 'brightwater-spring',
        perDay: 6,
        endedDaysAgo: 5,
        topics: ['I saw your offer for new customers. Is it still on?', 'Please send me the price list.'],
      },
    ],
  },
  {
    name: 'Harbor Dental',
    forms: [
      {
        name: 'Appointments',
        slug: 'harbor-appointments',
        perDay: 38,
        topics: [
          'A check-up for two children, on an afternoon if possible.',
          'I lost a filling. Is there anything free this week?',
          'What does whitening cost, and how long does it take?',
          'Do you take patients from other practices? Mine closes in June.',
        ],
      },
      {
        name: 'Partner enquiries',
        slug: 'harbor-partners',
        perDay: 11,
        quietDaysAgo: [13, 16],
        topics: [
          'We make aligners and would like to show them to your team.',
          'Our clinic in York is looking for an implant partner.',
        ],
      },
    ],
  },
  {
    name: 'Cobalt Freight',
    forms: [
      {
        name: 'Driver applications',
        slug: 'cobalt-drivers',
        perDay: 14,
        endedDaysAgo: 3,
        topics: [
          'I have a C+E licence and eight years of experience.',
          'Do you have part-time shifts at weekends?',
        ],
      },
    ],
  },
];

export const suspensionReason = 'The invoices for September and October are unpaid';

export const firstNames =
  'Maria Jonas Aisha Tom Lena Pedro Mei Ivan Sofia Noah Emma Liam Hana Omar Ines Paul Clara David Zoe Marek Yuki Amara Luca Freya'.split(
    ' ',
  );
export const lastNames =
  'Keller Weber Rahman Okafor Novak Alves Chen Petrov Rossi Martin Fischer Murphy Sato Haddad Costa Braun Laurent Jensen Clark Nowak'.split(
    ' ',
  );
export const firms: readonly (readonly [name: string, domain: string])[] = [
  ['Nordlicht Solar', 'nordlicht-solar.de'],
  ['Alder & Finch', 'alderfinch.co.uk'],
  ['Tidewater Foods', 'tidewaterfoods.com'],
  ['Maison Verdier', 'maisonverdier.fr'],
  ['Kestrel Robotics', 'kestrelrobotics.io'],
  ['Fjord Maskin', 'fjordmaskin.no'],
  ['Oakline Furniture', 'oaklinefurniture.com'],
  ['Studio Arco', 'studioarco.it'],
];
export const privateDomains = ['gmail.com', 'outlook.com', 'gmx.de', 'yahoo.com', 'icloud.com'];
export const jobTitles = [
  'Head of Operations',
  'Buyer',
  'Managing Director',
  'Logistics Manager',
  'Assistant',
  'CTO',
];
export const campaigns = ['spring-launch', 'brand-search', 'newsletter-14', 'retargeting-eu'];
export const spamTexts = [
  'Rank on the first page of google! Buy backlinks and guest posts now http://seo-boost.top/offer limited time',
  'Earn up to $5000 per day with our crypto trading bot, no risk, click here http://fast-profit.xyz',
  'Dear sir, we offer web design and app development at cheap price, reply for our portfolio and price list',
  'Casino bonus free spins http://lucky.casino-win.site best online casino 2026',
];
