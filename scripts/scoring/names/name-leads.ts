import type { LeadFields } from '../../../src/domain/lead/lead.ts';
import { transliterate } from '../../../src/domain/transliterate.ts';

const providers = [
  'gmail.com',
  'outlook.com',
  'yahoo.com',
  'hotmail.com',
  'icloud.com',
  'gmx.net',
  'proton.me',
];
const firms = [
  'nordtec.com',
  'bergmann-bau.de',
  'solarworks.co.uk',
  'finplan.io',
  'casaverde.es',
  'logipro.fr',
];
const messages = [
  'Please call me back.',
  'What does it cost?',
  'Hello, do you have an appointment next week?',
  'I need a quote for ten pieces.',
  'Interested in the offer',
  'Info',
  'Hello',
];

type Pick = <Item>(items: readonly Item[]) => Item;

/** "Nguyễn Thị" → "nguyenthi": how people write their name in an address. */
function plainName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return transliterate(plain).replaceAll(/[^a-z]/g, '');
}

/** A person with a short message and an address made from their name. */
export function nameLead(first: string, last: string, random: () => number, pick: Pick): LeadFields {
  const [given, family] = [plainName(first), plainName(last)];
  const number = random() < 0.3 ? String(Math.floor(random() * 2_100)) : '';
  const local = pick([
    `${given}.${family}${number}`,
    `${given}${family}${number}`,
    `${given.charAt(0)}${family}${number}`,
    `${given.charAt(0)}.${family}`,
    `${family}${given}${number}`,
    `${family}.${given.charAt(0)}`,
    `${given}_${family}`,
    `${given}${number}`,
    `${family}${number}`,
  ]);
  // A name that cannot be written in Latin letters needs another address.
  const email = `${/[a-z]/.test(local) ? local : `info${number}`}@${pick(random() < 0.6 ? providers : firms)}`;
  const message = pick(messages);
  const shape = random();
  if (shape < 0.5) return { name: `${first} ${last}`, email, message };
  if (shape < 0.6) return { name: `${first} ${last}`.toUpperCase(), email, message };
  if (shape < 0.7) return { name: `${first} ${last}`.toLowerCase(), email, message };
  if (shape < 0.8) return { name: shape < 0.75 ? first : last, email, message };
  return { first_name: first, last_name: last, email, message };
}
