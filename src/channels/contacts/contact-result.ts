import type { HubspotContact } from '../../domain/destination/hubspot/contact.ts';
import { lineOf } from '../../domain/destination/message/plain-text.ts';
import type { PostResult } from '../../net/delivery/delivery-http.ts';
import { headBytesMax } from '../../net/delivery/response-head.ts';
import { missingScopeText, scopesNeeded } from '../../net/hubspot/hubspot-client.ts';
import { type HubspotFlaw, hubspotErrorIn } from '../../net/hubspot/hubspot-error.ts';
import { type Tried, triedOf } from '../channel.ts';

/**
 * What HubSpot responds because of a contact. 207: some were accepted. 409: the contact changes at this moment, or has an
 * address of another one. 413: all together are too large.
 */
const aboutContact = new Set([207, 400, 409, 413, 422]);
/** An internal error can be caused by a contact, so it is halved. Alone it is a failure like others. */
const halved = new Set([...aboutContact, 500]);
/** 423: too much was changed lately. 477: the account moves to another data centre. */
const later = new Set([423, 477]);

/** Flaws of the mapping, which all leads have. HubSpot knew the property when the mapping was saved. */
const mappingFlaws: Readonly<Partial<Record<string, string>>> = {
  PROPERTY_DOESNT_EXIST: 'HubSpot no longer has the contact property',
  READ_ONLY_VALUE: 'HubSpot does not accept values for the contact property',
};

const messageCharactersMax = 300;
const nameCharactersMax = 100;
// Shorter values occur in every sentence.
const hiddenCharactersMin = 3;

/** True if one of several contacts may be to blame. */
export function isToBeHalved(result: PostResult, contacts: number): boolean {
  return (
    contacts > 1 &&
    'status' in result &&
    halved.has(result.status) &&
    mappingProblem(flawsIn(result.head)) === null
  );
}

/** What became of contacts that were sent together, or of one that was sent alone. */
export function triedContacts(result: PostResult, contacts: readonly HubspotContact[]): Tried {
  const whole = triedOf(result);
  if ('failure' in result) return whole;
  const { status, head } = result;
  const tried = { ...whole, head: head?.subarray(0, headBytesMax) ?? null };
  if (later.has(status)) return { ...tried, meaning: 'throttled', errorClass: 'throttled' };
  if (status === 401)
    return {
      ...tried,
      error: 'The access token is not valid any more. Create one in HubSpot, and change it here.',
    };
  if (status === 403) return { ...tried, error: missingScopeText(bodyOf(head), scopesNeeded[0]) };
  // It is not the owner's receiver that wants no more.
  if (status === 410) return { ...tried, meaning: 'failed', errorClass: 'failed', disables: null };
  if (!aboutContact.has(status)) return tried;
  const flaws = flawsIn(head);
  const problem = mappingProblem(flaws);
  return {
    ...tried,
    meaning: 'refused',
    errorClass: 'refused',
    isLeadRefused: problem === null,
    error: problem ?? `HubSpot refuses the contact: ${textOf(flaws, contacts) || status}`,
  };
}

function mappingProblem(flaws: readonly HubspotFlaw[]): string | null {
  for (const { code, property } of flaws) {
    const text = mappingFlaws[code ?? ''];
    if (text !== undefined)
      return `${text} \`${lineOf(property ?? '', nameCharactersMax)}\`. Change the mapping.`;
  }
  return null;
}

/** One line, without the values of the lead: whoever may see that a delivery failed may not see the lead. */
function textOf(flaws: readonly HubspotFlaw[], contacts: readonly HubspotContact[]): string {
  const sentences = flaws.map(({ message, property }) => {
    const hidden = withoutValues(message, contacts);
    return property === null || hidden.includes(property) ? hidden : `${property}: ${hidden}`;
  });
  return lineOf([...new Set(sentences)].join('; '), messageCharactersMax);
}

function withoutValues(message: string, contacts: readonly HubspotContact[]): string {
  const values = contacts
    .flatMap(({ id, properties }) => [id, ...Object.values(properties)])
    // HubSpot names the choice that it does not know, not all of them.
    .flatMap((value) => [value, ...(value.length <= message.length ? value.split(';') : [])])
    .map((value) => value.trim())
    .filter((value) => value.length >= hiddenCharactersMin && message.includes(value));
  return values
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '…'), message);
}

function flawsIn(head: Buffer | null): readonly HubspotFlaw[] {
  return hubspotErrorIn(bodyOf(head)).flaws;
}

/** A head has some headers, an empty line and the beginning of the body. */
function bodyOf(head: Buffer | null): string {
  const text = `\n${head?.toString() ?? ''}`;
  return text.slice(text.indexOf('\n\n') + 2);
}
