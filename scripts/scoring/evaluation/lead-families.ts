import type { LeadFields } from '../../../src/domain/lead/lead.ts';
import {
  businessMessages,
  consumerMessages,
  laterClean,
  laterPitches,
  linkSpam,
  nonLatin,
  pitches,
  shortMessages,
} from '../samples.ts';
import { partOf, randomNumbers, type TuningData } from '../tuning-data.ts';
import { sendersOf } from './senders.ts';

/**
 * How a family's percentage is to be read: `tuned` if rules and phrases were written while looking at its messages, so
 * that it says nothing about others; `held back` if no part of the scorer has seen its leads.
 */
type Basis = 'tuned' | 'held back';

/** Leads as forms send them, by names and domains that no model has seen. Deterministic. */
export interface LeadFamily {
  readonly name: string;
  readonly isClean: boolean;
  readonly basis: Basis;
  readonly leads: readonly LeadFields[];
}

const perFamily = 2_000;

/** The families without texts of several authors: those are measured in `corpus-leads.ts`. */
export function leadFamilies(data: TuningData): LeadFamily[] {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const { consumer, business, either, domain: anyDomain } = sendersOf(data, random);
  const customers = data.customerMessages.filter((line) => partOf(line) === 'held_back');
  const many = (make: () => LeadFields, count = perFamily) => Array.from({ length: count }, make);
  const each = (list: readonly string[], make: (text: string) => LeadFields, rounds = 5) =>
    Array.from({ length: rounds }, () => list.map((text) => make(text))).flat();
  const letters = (alphabet: string, from: number, to: number) =>
    Array.from({ length: from + Math.floor(random() * (to - from + 1)) }, () => pick([...alphabet])).join('');
  const small = 'abcdefghijklmnopqrstuvwxyz';
  const mixed = small + small.toUpperCase();
  const withName = (name: string, message: string): LeadFields => ({ ...consumer(message), name });
  const clean = (name: string, basis: Basis, leads: readonly LeadFields[]): LeadFamily => ({
    name: `clean: ${name}`,
    isClean: true,
    basis,
    leads,
  });
  const bad = (name: string, basis: Basis, leads: readonly LeadFields[]): LeadFamily => ({
    name: `bad: ${name}`,
    isClean: false,
    basis,
    leads,
  });

  return [
    clean(
      'business',
      'tuned',
      many(() => business(pick([...businessMessages, pick(customers)]))),
    ),
    clean('business messages', 'tuned', each(businessMessages, business, 10)),
    clean(
      'consumer, free email',
      'tuned',
      many(() => consumer(pick([pick(consumerMessages), pick(customers)]))),
    ),
    clean(
      'non-Latin',
      'tuned',
      Array.from({ length: 20 }, () => nonLatin.map(([name, message]) => withName(name, message))).flat(),
    ),
    clean('short messages', 'tuned', each(shortMessages, consumer, 20)),
    clean(
      'link to own site',
      'tuned',
      many(() => {
        const domain = anyDomain();
        return business(`${pick(businessMessages)} Our site: https://www.${domain}/`, domain);
      }),
    ),
    clean(
      'no message',
      'held back',
      many(() => {
        const { message: _, ...rest } = business('');
        return rest;
      }),
    ),
    bad(
      'gibberish, known strings',
      'held back',
      many(() => withName(`${pick(data.gibberish)} ${pick(data.gibberish)}`, pick(data.gibberish))),
    ),
    bad(
      'gibberish, one known string each',
      'held back',
      many(() => withName(pick(data.gibberish), `${pick(data.gibberish)} ${pick(data.gibberish)}`)),
    ),
    bad(
      'gibberish, mixed case',
      'held back',
      many(() => withName(letters(mixed, 8, 20), letters(mixed, 10, 24))),
    ),
    bad(
      'gibberish, lower case',
      'held back',
      many(() => withName(letters(small, 7, 12), `${letters(small, 6, 12)} ${letters(small, 6, 12)}`)),
    ),
    bad('link, SEO and comment spam', 'tuned', each(linkSpam, consumer)),
    bad('sales pitches', 'tuned', each(pitches, either)),
    clean('second set of messages', 'tuned', each(laterClean, either, 20)),
    bad('sales pitches, second set', 'tuned', each(laterPitches, either)),
  ];
}
