import type { HubspotContact } from '../../domain/destination/hubspot/contact.ts';
import type { HubspotProperty } from '../../domain/destination/hubspot/contact-mapping.ts';
import type { DeliveryHttp, PostResult } from '../delivery/delivery-http.ts';
import { hubspotErrorIn, type Json, objectIn, objectOr, objectsIn } from './hubspot-error.ts';

/** Whose contacts they are. */
export interface HubspotAccount {
  /** Of the API. */
  readonly url: string;
  /** A secret. */
  readonly token: string;
}

export const contactsPerRequestMax = 100;
const contactsPath = '/crm/v3/objects/contacts/batch/upsert';
const propertiesPath = '/crm/v3/properties/contacts';
// An account with its thousand properties has less than one.
const propertiesBytesMax = 4 * 1024 * 1024;
const nameCharactersMax = 200;

/** Creates contacts, or changes those that have the address. All of them, or none if one is refused. No address occurs twice. */
export async function upsertContacts(
  http: Pick<DeliveryHttp, 'post'>,
  { url, token }: HubspotAccount,
  contacts: readonly HubspotContact[],
  signal: AbortSignal,
): Promise<PostResult> {
  const result = await http.post({
    url: urlOf(url, contactsPath),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ inputs: contacts })),
    signal,
    isFixedUrl: true,
  });
  // Owners can read the response, and must never read the token.
  return 'head' in result && result.head?.includes(token) === true ? { ...result, head: null } : result;
}

/** Why properties could not be read. */
export interface NoProperties {
  /** `token`: it is not valid. `scope`: it lacks one. `unavailable`: nothing is known about the token. */
  readonly reason: 'token' | 'scope' | 'unavailable';
  readonly text: string;
}

export const scopesNeeded = ['crm.objects.contacts.write', 'crm.schemas.contacts.read'] as const;

/** The properties that contacts of an account have. */
export async function readProperties(
  http: Pick<DeliveryHttp, 'get'>,
  { url, token }: HubspotAccount,
  signal: AbortSignal,
): Promise<readonly HubspotProperty[] | NoProperties> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const request = { url: urlOf(url, propertiesPath), headers, signal, bytesMax: propertiesBytesMax };
  const result = await http.get(request);
  if ('failure' in result) return unavailable(result.text);
  const { status } = result;
  const body = result.body.toString();
  if (status === 401) return { reason: 'token', text: 'HubSpot does not accept the access token.' };
  if (status === 403) return { reason: 'scope', text: missingScopeText(body, scopesNeeded[1]) };
  if (status === 429) return unavailable('It asks to try later.');
  const parsed = status === 200 ? objectIn(body) : null;
  if (parsed === null || !Array.isArray(parsed.results))
    return unavailable(`It responded with something unexpected (${status}).`);
  return objectsIn(parsed.results).flatMap(propertyOf);
}

/** `known` is the scope that a request needs, if HubSpot does not say it. */
export function missingScopeText(body: string, known: string): string {
  const { scopes } = hubspotErrorIn(body);
  const named = scopes.includes(known) || scopes.length === 0 ? [known] : scopes;
  return `The access token lacks a scope: ${named.join(' or ')}.`;
}

function unavailable(text: string): NoProperties {
  return { reason: 'unavailable', text };
}

function propertyOf(json: Json): HubspotProperty[] {
  const { name, label, type, archived, calculated, modificationMetadata } = json;
  if (typeof name !== 'string' || name === '' || name.length > nameCharactersMax || archived === true)
    return [];
  const isReadOnly = objectOr(modificationMetadata).readOnlyValue === true;
  return [
    {
      name,
      label: typeof label === 'string' ? label.slice(0, nameCharactersMax).toWellFormed() : name,
      type: typeof type === 'string' ? type.slice(0, nameCharactersMax) : 'string',
      isWritable: !isReadOnly && calculated !== true,
      options: optionsOf(json),
    },
  ];
}

/** Null if HubSpot takes them from elsewhere, as for owners. */
function optionsOf({ type, externalOptions, options }: Json): readonly string[] | null {
  if (type !== 'enumeration' || externalOptions === true) return null;
  const values = objectsIn(options).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return values.length === 0 ? null : values;
}

function urlOf(url: string, path: string): string {
  return url.replace(/\/+$/, '') + path;
}
