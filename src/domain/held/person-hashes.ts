import type { BodyHashes } from '../lead/body-hash.ts';
import type { LeadFields } from '../lead/lead.ts';
import { parseEmail } from '../score/reading/email.ts';
import { kindOfKey, kindOfValue } from '../score/reading/fields.ts';

/** Some senders wrap the lead. */
const depthMax = 5;
const valuesMax = 1_000;
/** Longer than any address or number. */
const charactersMax = 254;
const hashesMax = 8;
const digitsMin = 6;
const digitsMax = 17;

/**
 * Keyed hashes of the email addresses and phone numbers in a body, so that the erasure of a person's lead finds other
 * requests of the same person without opening them. Different in each workspace.
 */
export function personHashesOf(
  hashes: Pick<BodyHashes, 'of'>,
  workspaceId: string,
  fields: LeadFields,
): Buffer[] {
  const names = new Set<string>();
  collect(fields, names, 1, { left: valuesMax });
  // The first byte is in no JSON text, so that no body has such a hash.
  return [...names].map((name) => hashes.of(workspaceId, Buffer.from(`\0${name}`)));
}

function collect(container: object, names: Set<string>, depth: number, values: { left: number }): void {
  // Not Object.entries: for an array of 65,000 numbers that would make as many strings first.
  for (const key in container) {
    if (values.left-- <= 0 || names.size >= hashesMax) return;
    const value = (container as LeadFields)[key];
    if (typeof value === 'object' && value !== null) {
      if (depth < depthMax) collect(value, names, depth + 1, values);
    } else if (typeof value === 'string' || typeof value === 'number') {
      const name = nameOf(key, String(value).trim());
      if (name !== null) names.add(name);
    }
  }
}

function nameOf(key: string, text: string): string | null {
  if (text === '' || text.length > charactersMax) return null;
  const email = text.includes('@') ? parseEmail(text) : null;
  if (email !== null) return `email ${email.local.toLowerCase()}@${email.domain}`;
  const byKey = kindOfKey(key);
  const isPhone = (byKey === 'other' ? kindOfValue(text) : byKey) === 'phone';
  return isPhone ? phoneName(text) : null;
}

/** `+49 30…` and `0049 30…` are the same number. */
function phoneName(text: string): string | null {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length >= digitsMin && digits.length <= digitsMax ? `phone ${digits}` : null;
}
