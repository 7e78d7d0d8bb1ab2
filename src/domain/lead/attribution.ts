import type { LeadFields } from './lead.ts';
import { keepFirst, ParsedMembers, parsedText, textFinder } from './spelled-texts.ts';

const campaignKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** What ad networks add to the URL of a landing page, so that they recognise their click. */
export const clickIds = [
  'gclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'fbclid',
  'li_fat_id',
  'ttclid',
  'twclid',
  'dclid',
] as const;
export type ClickId = (typeof clickIds)[number];

const parameterKeys = [...campaignKeys, ...clickIds] as const;
/** These names, which ad networks and analytics use, say where a visitor came from. */
export const attributionKeys = [...parameterKeys, 'referrer', 'landing_page'] as const;
export type AttributionKey = (typeof attributionKeys)[number];
export type Attribution = ReadonlyMap<AttributionKey, string>;

const findTexts = textFinder<AttributionKey>({
  ...(Object.fromEntries(attributionKeys.map((key) => [key, key])) as Record<AttributionKey, string>),
  referrer: 'referrer referer httpreferrer pagereferrer',
  landing_page: 'landingpage landingurl landing pageurl pageuri page entrypage',
});

/** The SDK of web pages adds this field: an object with `page`, `referrer`, and an object `campaign` of parameters. */
export const contextField = '_context';

/** The members of an object. `get` does not walk through the others, because there may be thousands. */
export interface Members<Value> extends Iterable<readonly [key: string, Value]> {
  get(key: string): Value | undefined;
}

/**
 * Read from the fields, so it is there before the lead is enriched. A field counts before what the SDK says, and a parameter
 * that neither contains is taken from the URL of the landing page. `membersOf` finds none in what is no object.
 */
export function readAttribution<Value>(
  fields: Members<Value>,
  membersOf: (value: Value | undefined) => Members<Value>,
  textOf: (value: Value | undefined) => string | null,
): Attribution {
  const found = new Map<AttributionKey, string>();
  const context = membersOf(fields.get(contextField));
  const campaign = membersOf(context.get('campaign'));
  findTexts(found, fields, textOf);
  keepFirst(found, 'referrer', textOf(context.get('referrer')));
  keepFirst(found, 'landing_page', textOf(context.get('page')));
  for (const key of parameterKeys) keepFirst(found, key, textOf(campaign.get(key)));
  const page = found.get('landing_page');
  const parameters = page?.includes('?') ? URL.parse(page)?.searchParams : undefined;
  for (const key of parameterKeys) keepFirst(found, key, parameters?.get(key));
  return new Map(attributionKeys.flatMap((key) => (found.has(key) ? [[key, found.get(key) as string]] : [])));
}

/** Of parsed JSON. */
export function attributionOf(fields: LeadFields): Attribution {
  return readAttribution(new ParsedMembers(fields), (value) => new ParsedMembers(value), parsedText);
}
