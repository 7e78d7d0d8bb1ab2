import type { LeadFields } from '../../src/domain/lead/lead.ts';
import {
  businessMessages,
  consumerMessages,
  laterClean,
  laterPitches,
  linkSpam,
  nonLatin,
  pitches,
  shortMessages,
} from './samples.ts';
import { isUniversity, partOf, randomNumbers, type TuningData } from './tuning-data.ts';

/** Leads as forms send them, made from data that no model has seen. Deterministic. */
export interface LeadFamily {
  readonly name: string;
  readonly isClean: boolean;
  readonly leads: readonly LeadFields[];
}

const perFamily = 2_000;
const freeMail = [
  'gmail.com',
  'outlook.com',
  'yahoo.com',
  'hotmail.com',
  'gmx.de',
  'icloud.com',
  'web.de',
  'mail.ru',
  'qq.com',
];

export function leadFamilies(data: TuningData): LeadFamily[] {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const unseen = (lines: readonly string[]) => lines.filter((line) => partOf(line) === 'held_back');
  const firsts = unseen(data.firstNames);
  const lasts = unseen(data.surnames).filter((name) => /^[A-Z][a-z'-]+$/.test(name));
  const companies = unseen(data.legitimateDomains).filter(
    (domain) => !isUniversity(domain) && /^[a-z0-9.-]+$/.test(domain),
  );
  const customers = unseen(data.customerMessages);
  const texts = (isSpam: boolean, from: TuningData['sms']) =>
    from
      .filter((entry) => entry.isSpam === isSpam && partOf(entry.text) === 'held_back')
      .map(({ text }) => text);

  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const phone = () => `+49 30 ${Math.floor(1e6 + random() * 8.9e6)}`;
  const person = () => ({ first: pick(firsts), last: pick(lasts) });
  const consumer = (message: string): LeadFields => {
    const { first, last } = person();
    const number = random() < 0.4 ? String(Math.floor(random() * 2_000)) : '';
    return {
      name: `${first} ${last}`,
      email: `${plain(first)}.${plain(last)}${number}@${pick(freeMail)}`,
      message,
    };
  };
  const business = (message: string, domain = pick(companies)): LeadFields => {
    const { first, last } = person();
    const company = domain.split('.')[0] as string;
    const email = `${random() < 0.5 ? plain(first) : `${plain(first).charAt(0)}.${plain(last)}`}@${domain}`;
    return { first_name: first, last_name: last, email, company, phone: phone(), message };
  };
  const many = (make: () => LeadFields, count = perFamily) => Array.from({ length: count }, make);
  const each = (list: readonly string[], make: (text: string) => LeadFields, rounds = 5) =>
    Array.from({ length: rounds }, () => list.map(make)).flat();
  const letters = (alphabet: string, from: number, to: number) =>
    Array.from({ length: from + Math.floor(random() * (to - from + 1)) }, () => pick([...alphabet])).join('');
  const small = 'abcdefghijklmnopqrstuvwxyz';
  const withName = (name: string, message: string): LeadFields => ({ ...consumer(message), name });

  return [
    {
      name: 'clean: business',
      isClean: true,
      leads: many(() => business(pick([...businessMessages, pick(customers)]))),
    },
    {
      name: 'clean: business messages',
      isClean: true,
      leads: each(businessMessages, (text) => business(text), 10),
    },
    {
      name: 'clean: consumer, free email',
      isClean: true,
      leads: many(() => consumer(pick([pick(consumerMessages), pick(customers)]))),
    },
    {
      name: 'clean: non-Latin',
      isClean: true,
      leads: Array.from({ length: 20 }, () =>
        nonLatin.map(([name, message]) => withName(name, message)),
      ).flat(),
    },
    { name: 'clean: short messages', isClean: true, leads: each(shortMessages, consumer, 20) },
    {
      name: 'clean: link to own site',
      isClean: true,
      leads: many(() => {
        const domain = pick(companies);
        return business(`${pick(businessMessages)} Our site: https://www.${domain}/`, domain);
      }),
    },
    {
      name: 'clean: no message',
      isClean: true,
      leads: many(() => {
        const { message: _, ...rest } = business('');
        return rest;
      }),
    },
    {
      name: 'apart: text messages between friends',
      isClean: true,
      leads: texts(false, data.sms).map(consumer),
    },
    { name: 'apart: video comments', isClean: true, leads: texts(false, data.comments).map(consumer) },
    {
      name: 'bad: gibberish, known strings',
      isClean: false,
      leads: many(() => withName(`${pick(data.gibberish)} ${pick(data.gibberish)}`, pick(data.gibberish))),
    },
    {
      name: 'bad: gibberish, one known string each',
      isClean: false,
      leads: many(() => withName(pick(data.gibberish), `${pick(data.gibberish)} ${pick(data.gibberish)}`)),
    },
    {
      name: 'bad: gibberish, mixed case',
      isClean: false,
      leads: many(() =>
        withName(letters(small + small.toUpperCase(), 8, 20), letters(small + small.toUpperCase(), 10, 24)),
      ),
    },
    {
      name: 'bad: gibberish, lower case',
      isClean: false,
      leads: many(() => withName(letters(small, 7, 12), `${letters(small, 6, 12)} ${letters(small, 6, 12)}`)),
    },
    { name: 'bad: link, SEO and comment spam', isClean: false, leads: each(linkSpam, consumer) },
    { name: 'bad: video comment spam', isClean: false, leads: texts(true, data.comments).map(consumer) },
    { name: 'bad: text message spam', isClean: false, leads: texts(true, data.sms).map(consumer) },
    {
      name: 'bad: sales pitches',
      isClean: false,
      leads: each(pitches, (text) => (random() < 0.5 ? business(text) : consumer(text))),
    },
    {
      name: 'clean: second set of messages',
      isClean: true,
      leads: each(laterClean, (text) => (random() < 0.5 ? business(text) : consumer(text)), 20),
    },
    {
      name: 'bad: sales pitches, second set',
      isClean: false,
      leads: each(laterPitches, (text) => (random() < 0.5 ? business(text) : consumer(text))),
    },
  ];
}
