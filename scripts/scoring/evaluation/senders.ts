import type { LeadFields } from '../../../src/domain/lead/lead.ts';
import { isUniversity, partOf, type TuningData } from '../tuning-data.ts';

/** People who send leads: their names and the domains of their firms were held back from all models. */
export interface Senders {
  /** Somebody with an address at a free provider. */
  consumer(message: string): LeadFields;
  /** Somebody with an address at their firm. */
  business(message: string, domain?: string): LeadFields;
  either(message: string): LeadFields;
  domain(): string;
}

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

export function sendersOf(data: TuningData, random: () => number): Senders {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const unseen = (lines: readonly string[]) => lines.filter((line) => partOf(line) === 'held_back');
  const firsts = unseen(data.firstNames);
  const lasts = unseen(data.surnames).filter((name) => /^[A-Z][a-z'-]+$/.test(name));
  const companies = unseen(data.legitimateDomains).filter(
    (domain) => !isUniversity(domain) && /^[a-z0-9.-]+$/.test(domain),
  );
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const phone = () => `+49 30 ${Math.floor(1e6 + random() * 8.9e6)}`;
  const person = () => ({ first: pick(firsts), last: pick(lasts) });

  const senders: Senders = {
    consumer(message) {
      const { first, last } = person();
      const number = random() < 0.4 ? String(Math.floor(random() * 2_000)) : '';
      const email = `${plain(first)}.${plain(last)}${number}@${pick(freeMail)}`;
      return { name: `${first} ${last}`, email, message };
    },
    business(message, domain = pick(companies)) {
      const { first, last } = person();
      const company = domain.split('.')[0] as string;
      const local = random() < 0.5 ? plain(first) : `${plain(first).charAt(0)}.${plain(last)}`;
      return {
        first_name: first,
        last_name: last,
        email: `${local}@${domain}`,
        company,
        phone: phone(),
        message,
      };
    },
    either: (message) => (random() < 0.5 ? senders.business(message) : senders.consumer(message)),
    domain: () => pick(companies),
  };
  return senders;
}
