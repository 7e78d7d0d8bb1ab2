import type { Hits } from '../hits.ts';
import { householdOf } from '../reading/network.ts';
import type { LeadReading } from '../reading/reading.ts';
import { wordHash } from '../reading/scan.ts';
import type { LeadPrint, Sightings } from '../repeat-memory.ts';

const messageCharactersMin = 20;
const longMessageCharacters = 200;
const floodFrom = 2;
const nearManyFrom = 4;
const emailsPerHourMax = 10;
// An office or a trade fair may well send a few.
const networkFrom = 6;
const networkManyFrom = 25;
const hashedCharactersMax = 64;

export function printOf(reading: LeadReading): LeadPrint {
  const { messagePrint, messageField, email } = reading;
  let body = 0;
  // The order of fields does not matter.
  for (const field of reading.fields) {
    const value = field === messageField ? messagePrint.exact : hashOf(field.value);
    body = (body + Math.imul(value, (field.key.length << 8) | field.key.charCodeAt(0) | 1)) | 0;
  }
  return {
    body,
    email: email === null ? 0 : wordHash(canonicalAddress(email)) | 1,
    network: networkHash(reading.first('network_address')?.value),
    messageHigh: messagePrint.high,
    messageLow: messagePrint.low,
  };
}

function networkHash(address: string | undefined): number {
  const network = address === undefined ? null : householdOf(address);
  return network === null ? 0 : wordHash(network) | 1;
}

function hashOf(value: string): number {
  return (
    wordHash(value.length > hashedCharactersMax ? value.slice(0, hashedCharactersMax) : value) ^ value.length
  );
}

/** Gmail ignores dots and everything after a plus. */
function canonicalAddress({ local, domain }: { readonly local: string; readonly domain: string }): string {
  const plus = local.indexOf('+');
  const name = plus < 0 ? local : local.slice(0, plus);
  return `${domain === 'gmail.com' || domain === 'googlemail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

/**
 * A repeated lead with a message is worthless to its owner, who has the first one. Without a message it may be a
 * second sign-up, and a short message that many send word for word may be filled in by the form.
 */
export function judgeRepeats(
  { sameBody, nearMessage, sameEmail, sameNetwork }: Sightings,
  reading: LeadReading,
  hits: Hits,
): void {
  const { characters } = reading.messagePrint;
  if (characters >= messageCharactersMin) {
    if (sameBody >= floodFrom) hits.add('REPEAT_FLOOD', null, String(sameBody));
    else if (sameBody > 0) hits.add('REPEAT_BODY');
  }
  if (nearMessage >= nearManyFrom && characters >= longMessageCharacters) {
    hits.add('REPEAT_NEAR_FLOOD', null, String(nearMessage));
  } else if (nearMessage >= nearManyFrom && reading.links.length > 0) {
    hits.add('REPEAT_NEAR_MANY', null, String(nearMessage));
  } else if (nearMessage > 0) hits.add('REPEAT_NEAR');
  if (sameEmail >= emailsPerHourMax) hits.add('REPEAT_EMAIL', null, String(sameEmail + 1));
  if (sameNetwork >= networkManyFrom) hits.add('REPEAT_NETWORK_MANY', null, String(sameNetwork));
  else if (sameNetwork >= networkFrom) hits.add('REPEAT_NETWORK', null, String(sameNetwork));
}
