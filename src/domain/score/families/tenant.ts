import type { Hits } from '../hits.ts';
import type { EmailAddress } from '../reading/email.ts';
import type { LeadReading } from '../reading/reading.ts';
import { ruleIndex } from '../rules.ts';
import type { AddressList, CompiledScoring } from '../settings/compile.ts';
import { matchesGlob } from '../settings/glob.ts';
import { normalDomain } from '../settings/list-entries.ts';

const keywordRule = ruleIndex('KEYWORD');

/** The owner's lists. Blocking takes precedence over allowing; keywords apply to every sender. */
export function judgeLists(form: CompiledScoring, reading: LeadReading, hits: Hits): void {
  const { email } = reading;
  if (email !== null && isListed(form.blocked, email))
    hits.add('LIST_BLOCKED', reading.first('email')?.key ?? null);
  else if (email !== null && isListed(form.allowed, email) && !hits.has('HONEYPOT_FILLED')) {
    hits.add('LIST_ALLOWED', reading.first('email')?.key ?? null);
  }
  if (form.keywords.length === 0) return;
  const texts = reading.fields.map(({ key, value }) => ({ key, text: value.toLowerCase() }));
  for (const { glob, text, points } of form.keywords) {
    const found = texts.find((field) => matchesGlob(glob, field.text));
    if (found !== undefined)
      hits.addPoints(keywordRule, form.points[keywordRule] === 0 ? 0 : points, found.key, text);
  }
}

/** `local` is in lower case. */
export function isListed({ emails, domains }: AddressList, email: EmailAddress): boolean {
  if (emails.size === 0 && domains.size === 0) return false;
  // Lists store domains in ASCII.
  const ascii = isAscii(email.domain) ? email.domain : (normalDomain(email.domain) ?? email.domain);
  if (emails.has(`${email.local}@${ascii}`)) return true;
  // A listed domain includes its subdomains.
  for (let domain = ascii; domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1)) {
    if (domains.has(domain)) return true;
  }
  return false;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
