import { compact, type JsonText } from '../json/json-text.ts';
import type { LeadFacts } from './lead-facts.ts';
import { type Conversion, converted } from './reading/conversion.ts';
import { documentOf, isPresent } from './reading/lead-document.ts';

/**
 * What the body of the format `mapped` is made of: one JSON object, with the members in the order of the rows.
 *
 *   from      the key of a field, or a JSON pointer into `data` of the standard format: `/fields/address/city`,
 *             `/enrichment/company/name`, `/attribution/utm_source`, `/submission_id`. `*` stands for every field that no
 *             row names; these keep their keys.
 *   to        the key to send; the same as `from` if it is left out and `from` is a key
 *   as        what to send it as (see reading/conversion.ts); as it is, if left out
 *   default   what to send if there is no value, or if it cannot be converted; without it, the key is not sent
 *   drop      true excludes a field from `*`
 *
 * Null, empty text and empty lists count as no value. What is not listed is not sent: owners choose what leaves.
 */
export interface MappingRow {
  readonly from: string;
  readonly to?: string | undefined;
  readonly as?: Conversion | undefined;
  readonly default?: string | number | boolean | null | undefined;
  readonly drop?: boolean | undefined;
}
export type Mapping = readonly MappingRow[];

export const otherFields = '*';

/** The members to send, by key. */
export function mapped(mapping: Mapping, lead: LeadFacts): ReadonlyMap<string, JsonText> {
  const members = new Map<string, JsonText>();
  const sent = mapping.filter(({ drop }) => drop !== true);
  for (const row of sent) {
    if (row.from === otherFields) addOthers(members, mapping, lead);
    else {
      const json = sentValue(row, lead);
      if (json !== undefined) members.set(keyOf(row), json);
    }
  }
  return members;
}

function addOthers(members: Map<string, JsonText>, mapping: Mapping, lead: LeadFacts): void {
  const named = new Set(mapping.map(fieldNamed));
  const taken = new Set(mapping.filter(({ drop }) => drop !== true).map(keyOf));
  for (const [key, json] of documentOf(lead).fields())
    if (!named.has(key) && !taken.has(key)) members.set(key, compact(json));
}

function sentValue(row: MappingRow, lead: LeadFacts): JsonText | undefined {
  const json = documentOf(lead).valueAt(pathOf(row.from));
  const value = isPresent(json) ? (row.as === undefined ? compact(json) : converted(row.as, json)) : null;
  if (value !== null) return value;
  return row.default === undefined ? undefined : JSON.stringify(row.default);
}

export function keyOf({ from, to }: MappingRow): string {
  return to ?? from;
}

export function isPointer(from: string): boolean {
  return from.startsWith('/');
}

export function pathOf(from: string): string[] {
  return isPointer(from) ? from.slice(1).split('/').map(unescaped) : ['fields', from];
}

/** `~1` is `/` and `~0` is `~` (RFC 6901), in this order. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The top-level field that a row reads, or undefined. */
export function fieldNamed({ from }: MappingRow): string | undefined {
  const [first, key, ...others] = pathOf(from);
  return first === 'fields' && others.length === 0 ? key : undefined;
}
