import { householdOf } from '../reading/network.ts';
import { keyWeight, type LeadField, type LeadReading } from '../reading/reading.ts';
import { wordHash } from '../reading/word-hash.ts';
import type { LeadPrint } from '../repeat-memory.ts';
import type { FieldKind } from '../settings/field-kinds.ts';

const hashedCharacters = 128;
/** What the browser or the page adds may differ in each copy of a lead. */
const addedKinds: ReadonlySet<FieldKind> = new Set([
  'attribution',
  'utm_medium',
  'click_id',
  'referrer',
  'user_agent',
  'network_address',
]);

/** `timeField` is the key of the field with the time at which the form was shown. */
export function printOf(reading: LeadReading, timeField: string | undefined): LeadPrint {
  const { messagePrint, messageField } = reading;
  const email = emailHash(reading);
  const network = networkHash(reading.first('network_address')?.value);
  const person = email !== 0 ? email : personHash(reading);
  let body = reading.choices;
  // The order of fields does not matter.
  for (const field of reading.fields) {
    if (addedKinds.has(field.kind) || field.key === timeField) continue;
    const value = field === messageField ? messagePrint.exact : valueHash(field, email);
    body = (body + Math.imul(value, keyWeight(field.key))) | 0;
  }
  return {
    // Only the network tells who sent a lead without any name.
    body: person === 0 ? body ^ network : body,
    sender: person === 0 ? network : person,
    email,
    network,
    text: messagePrint.exact,
    sketch: messagePrint.sketch,
  };
}

function valueHash({ kind, value }: LeadField, email: number): number {
  return kind === 'email' && email !== 0 ? email : hashOf(value);
}

function emailHash({ email }: LeadReading): number {
  return email === null ? 0 : wordHash(canonicalAddress(email)) | 1;
}

/** Who sent a lead without a valid address; 0 if unknown. */
function personHash(reading: LeadReading): number {
  const field = reading.first('email') ?? reading.first('phone') ?? reading.first('name');
  if (field !== null) return hashOf(field.value) | 1;
  const first = reading.first('first_name');
  const last = reading.first('last_name');
  if (first === null && last === null) return 0;
  return (hashOf(first?.value ?? '') ^ Math.imul(hashOf(last?.value ?? ''), 31)) | 1;
}

function networkHash(address: string | undefined): number {
  const network = address === undefined ? null : householdOf(address);
  return network === null ? 0 : wordHash(network) | 1;
}

function hashOf(value: string): number {
  if (value.length <= 2 * hashedCharacters) return wordHash(value);
  const end = wordHash(value.slice(-hashedCharacters));
  return wordHash(value.slice(0, hashedCharacters)) ^ Math.imul(end, 31) ^ value.length;
}

/** Gmail ignores dots and everything after a plus. */
function canonicalAddress({ local, domain }: { readonly local: string; readonly domain: string }): string {
  const plus = local.indexOf('+');
  const name = (plus < 0 ? local : local.slice(0, plus)).toLowerCase();
  return `${domain === 'gmail.com' || domain === 'googlemail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}
