import { type JsonText, kindOf, textOf } from '../../json/json-text.ts';
import { attributionSpellings, type ClickId, clickIds } from '../../lead/attribution.ts';

const campaignKeys = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** What the sender says about where the visitor came from, under the names that ad networks and analytics use. */
export const attributionKeys = [...campaignKeys, ...clickIds, 'referrer', 'landing_page'] as const;
export type AttributionKey = (typeof attributionKeys)[number];
export type Attribution = ReadonlyMap<AttributionKey, string>;

const { referrer, landing } = attributionSpellings;
const keyBySpelling = new Map<string, AttributionKey>([
  ...[...campaignKeys, ...clickIds].map((key): [string, AttributionKey] => [bare(key), key]),
  ...referrer.split(' ').map((spelling): [string, AttributionKey] => [spelling, 'referrer']),
  ...landing.split(' ').map((spelling): [string, AttributionKey] => [spelling, 'landing_page']),
]);

const fieldsReadMax = 200;
const keyCharactersMax = 40;
const valueCharactersMax = 2_000;

/**
 * Read from the fields, so it is there before the lead is enriched. A parameter that is not a field is taken from the URL
 * of the landing page.
 */
export function attributionOf(fields: ReadonlyMap<string, JsonText>): Attribution {
  const found = new Map<AttributionKey, string>();
  for (const [name, json] of fields.entries().take(fieldsReadMax)) {
    if (name.length > keyCharactersMax || kindOf(json) !== 'text') continue;
    const key = keyBySpelling.get(bare(name));
    if (key !== undefined && !found.has(key)) keep(found, key, textOf(json));
  }
  const page = found.get('landing_page');
  if (page !== undefined && URL.canParse(page)) {
    const parameters = new URL(page).searchParams;
    for (const key of [...campaignKeys, ...clickIds])
      if (!found.has(key)) keep(found, key, parameters.get(key) ?? '');
  }
  return new Map(attributionKeys.filter((key) => found.has(key)).map((key) => [key, found.get(key) ?? '']));
}

function keep(found: Map<AttributionKey, string>, key: AttributionKey | ClickId, value: string): void {
  const text = value.trim();
  if (text !== '' && text.length <= valueCharactersMax) found.set(key, text);
}

function bare(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}
