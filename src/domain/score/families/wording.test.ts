import { describe, expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings, type ScoringSettings } from '../settings/settings.ts';

const scorer = createScorer(loadScoringData());

function scoreOf(message: string, settings: Partial<ScoringSettings> = {}) {
  const form = compileScoring({ ...defaultScoringSettings, ...settings }, [], 0);
  return scorer.score({ name: 'Anna Smith', email: 'anna.smith@gmail.com', message }, form, { now: 0 });
}

const pitch =
  'Hi there, I noticed your website is not showing on the first page of Google. We help businesses like yours get more traffic and leads with our SEO packages. Can I send you a free audit and our price list?';

describe('somebody who sells is told from somebody who asks', () => {
  test.each([
    ['rankings', pitch, 'WORDING_SALES'],
    [
      'developers',
      'We are an offshore development company with 150 engineers. We build mobile apps and websites at affordable rates. Let me know if you want to see our portfolio.',
      'WORDING_SALES',
    ],
    [
      'in German',
      'Guten Tag, wir sind eine Agentur für Suchmaschinenoptimierung und bringen Ihre Website auf die erste Seite von Google. Gerne erstellen wir Ihnen ein unverbindliches Angebot.',
      'PHRASES_SEO',
    ],
    [
      'an account',
      'Your account has been suspended due to unusual activity. Please verify your identity within 24 hours or it will be permanently closed.',
      'WORDING_FRAUD',
    ],
    [
      'in Russian',
      'Ищу людей в команду, удалённый заработок на криптовалюте, доход от 100 долларов в день, пишите в личку.',
      'WORDING_FRAUD',
    ],
    [
      'gambling',
      'Best online casino bonuses, free spins for every new player, register now and win real money!',
      'WORDING_ADVERT',
    ],
  ])('unwanted: %s', (_, message, code) => {
    const { verdict, reasons } = scoreOf(message);
    expect(verdict).toBe('suspect');
    expect(reasons.map((reason) => reason.code)).toContain(code);
  });

  test.each([
    [
      'a price at a pharmacy',
      'Hello, how much is a pack of 30 tablets of cetirizine without prescription, and do you deliver to Leeds?',
    ],
    [
      'a casino party',
      'We are planning a casino-themed party for 60 guests in June. Can we rent two roulette tables and a croupier from you?',
    ],
    [
      'praise, then a quote',
      'I love your work, the kitchens on your website are beautiful! Could you send me a quote for a similar one, about 12 square metres?',
    ],
    [
      'an importer',
      'We import garden furniture to Portugal. Please send your best price for 400 chairs including freight to Lisbon.',
    ],
    [
      'somebody who needs a supplier',
      'I am reaching out because we need a new supplier of cardboard boxes. Could you tell us your minimum order and delivery time?',
    ],
    [
      'somebody who wants rankings',
      'Our shop is hardly found on Google. Do you offer SEO, and what would it cost per month?',
    ],
    [
      'a parcel',
      'My parcel has not been delivered although the tracking says so. Order 448201, can you please check?',
    ],
    ['an account', 'My account was suspended yesterday and I do not know why. Could you please unlock it?'],
    [
      'a fault',
      'Dear support team, since the update on Monday our users cannot log in to the reporting module. We have already cleared the cache and restarted the service. Could you please look into this as soon as possible?',
    ],
  ])('wanted: %s', (_, message) => {
    expect(scoreOf(message).verdict).toBe('clean');
  });

  test('a long polite business letter is clean', () => {
    const letter = `Dear Sir or Madam, we are a medium-sized manufacturer of kitchen furniture and have been working with your company for three years. Our logistics department is reviewing its contracts, and we would like to understand which of your services cover deliveries to our new customers in Austria.
      At present our drivers collect the goods at your terminal in Munich, which costs our team two hours a day. Could you tell us whether a collection at our premises would be possible, what you would charge for it, and from when? In addition, our accounting department asks for monthly invoices instead of weekly ones.
      We would also be grateful for your current price list and for the name of the person who will be responsible for our account next year. If a meeting makes this easier, our managing director and our head of purchasing are available on 14 and 15 May. Thank you for your support over the past years. Kind regards`;
    expect(scoreOf(letter.repeat(2).slice(0, 2_000)).verdict).toBe('clean');
  });
});

test.each([
  [
    'Finnish',
    'Hei, tarvitsisimme tarjouksen toimiston muutosta Tampereelta Helsinkiin kesäkuussa. Paljonko se maksaisi?',
  ],
  [
    'Hungarian',
    'Jó napot, szeretnék árajánlatot kérni egy ház szigetelésére. Mikor tudnának kijönni felmérni?',
  ],
  ['Swahili', 'Habari, ningependa kujua bei ya vyumba vyenu kwa watu wawili mwezi wa saba. Asante sana.'],
  ['Czech', 'Dobrý den, mohli byste mi prosím zaslat ceník a dodací podmínky pro deset kusů?'],
  ['Japanese', 'はじめまして。来月の展示会について詳しい資料を送っていただけますか。'],
  [
    'a long letter in Danish',
    `Kære alle, vi er en lille familie fra Aarhus og skal flytte ind i et gammelt hus til sommer. Taget er fra halvtredserne, og når det regner, drypper det ned på loftet ved skorstenen. Naboen fortalte, at I har lagt hans tag om sidste år, og han var meget tilfreds med både arbejdet og oprydningen bagefter.
      Vi ville gerne høre, om nogen kunne komme forbi en eftermiddag og kigge på det sammen med os. Det haster ikke, men helst inden ferien, for håndværkerne indenfor begynder i august. Vi har tegninger af huset og nogle billeder fra loftet, som vi kan tage med eller vise frem på stedet. Ring endelig, hvis der er noget, I skal vide på forhånd. Mange hilsner fra os alle fire og hunden, som desværre gør ad fremmede, men ellers er helt ufarlig.`,
  ],
])('a language that the model does not know is not held against a lead: %s', (_, message) => {
  const { verdict, reasons } = scoreOf(message);
  expect(verdict).toBe('clean');
  expect(reasons.filter(({ code }) => code.startsWith('WORDING_'))).toEqual([]);
});

describe('the findings', () => {
  test('of the model quote the three words that weighed most, as they were written', () => {
    const found = scoreOf(pitch).reasons.find(({ code }) => code === 'WORDING_SALES');
    const quoted = [...(found?.evidence ?? '').matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? '');
    expect(quoted).toHaveLength(3);
    for (const word of quoted) expect(pitch).toContain(word);
    expect(found?.text).toBe(`Reads like a sales pitch: ${found?.evidence}`);
  });

  test.each([
    'Buy fake passport, driver licence, IELTS certificate without exam. WhatsApp +44 7700 900999',
    'Your parcel could not be delivered because of unpaid customs fee of 1.99. Pay here: https://dhl-track.icu',
    'Oferujemy pozycjonowanie stron w Google, pierwsza strona w 30 dni. Darmowy audyt.',
    'Kryptowährungshandel Investitionsmöglichkeiten Auszahlungsgarantie Sofortauszahlung garantiert',
  ])('of the model quote whole words, never a number: %s', (message) => {
    const found = scoreOf(message).reasons.find(({ code }) => code.startsWith('WORDING_'));
    expect(found?.evidence).toMatch(/^"\p{L}[^"]*"(?:, "\p{L}[^"]*")*$/u);
  });

  test('of phrases quote the heaviest one, not the first', () => {
    const message =
      'SEO matters a lot today, so buy cheap backlinks and rank your website quickly with our experts.';
    const found = scoreOf(message).reasons.find(({ code }) => code === 'PHRASES_SEO');
    expect(found?.evidence).toBe('backlinks');
  });

  test('of text alone never make spam', () => {
    const everything = `${pitch} Free casino bonus, cheap viagra, bitcoin trading signals, guaranteed profit, you have won a prize, your account has been suspended.`;
    expect(scoreOf(everything).verdict).toBe('suspect');
  });

  test('of a form that wants offers can be turned off', () => {
    const message = pitch.replace('SEO packages', 'packages');
    const isFound = (settings: Partial<ScoringSettings>) =>
      scoreOf(message, settings).reasons.some(({ code }) => code === 'WORDING_SALES');
    expect([isFound({}), isFound({ disabled: ['WORDING_SALES'] })]).toEqual([true, false]);
  });
});
