import type { JsonText, LeadFacts } from './lead-facts.ts';
import { type AttributionKey, attributionKeys } from './reading/attribution.ts';
import { compareDecimals, decimalShape } from './reading/decimal.ts';
import { itemsOf, kindOf, textOf } from './reading/json-text.ts';
import { documentOf, isPresent } from './reading/lead-document.ts';

/**
 * Which leads a destination gets: all or any of its conditions are met. `{"all": []}` is every lead.
 *
 *   field                what is compared
 *   form                 the ID of the form, and its slug: either may be used
 *   surface, verdict,    as the API writes them; the verdict follows the mark
 *   grade, score
 *   field.<key>          a top-level field; everything after the first point is its key
 *   enrichment.<path>    names separated by points, as in `enrichment.company.country`
 *   attribution.<key>    what the fields say about the visit; `source` is short for `utm_source`
 *
 *   op                   met if the lead's value …
 *   eq, in               … is the same, or the same as one of the list. Text is compared exactly, with its case. Numbers and
 *                        booleans are compared as text too, so `true` and `"true"` are the same; a condition with a number
 *                        also accepts other notations of it: `10` is `10.0`.
 *   ne, not_in           … does not meet `eq` or `in`: also if there is none
 *   gte, lte             … is a number, or text that is one, and is at least or at most this. Digits are compared, however
 *                        many: nothing is rounded. Numbers of more than 15 digits are written as text in a condition.
 *   exists               … is there; with `false`, if it is not. Null, empty text and empty lists are not there.
 *   starts_with,         … as text begins with, ends with or contains this, ignoring case, as the search for leads does
 *   ends_with, contains
 *
 * A list meets a condition if one of its first 1,000 items does. An object meets only `exists`, `ne` and `not_in`.
 */
export interface Condition {
  readonly field: string;
  readonly op: FilterOp;
  /** `exists` may do without. */
  readonly value?: Scalar | readonly Scalar[] | undefined;
}
export type Filter =
  | { readonly all: readonly Condition[]; readonly any?: undefined }
  | { readonly any: readonly Condition[]; readonly all?: undefined };
export type Scalar = string | number | boolean;

export const filterOps = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gte',
  'lte',
  'exists',
  'starts_with',
  'ends_with',
  'contains',
] as const;
type FilterOp = (typeof filterOps)[number];

const itemsReadMax = 1_000;

export function matches(filter: Filter, lead: LeadFacts): boolean {
  return meets(filter, (condition) => isMet(condition, lead));
}

/** Whether the lead can still match once it is enriched: until then, conditions on the enrichment count as met. */
export function mayMatch(filter: Filter, lead: LeadFacts): boolean {
  return meets(filter, (condition) => isOpen(condition, lead) || isMet(condition, lead));
}

function meets({ all, any }: Filter, isTrue: (condition: Condition) => boolean): boolean {
  return all === undefined ? any.some(isTrue) : all.every(isTrue);
}

function isOpen({ field }: Condition, { isEnriched }: LeadFacts): boolean {
  return !isEnriched && field.startsWith('enrichment.');
}

type Source =
  | { readonly from: 'form' | 'surface' | 'verdict' | 'grade' | 'score' }
  | { readonly from: 'fields' | 'attribution'; readonly key: string }
  | { readonly from: 'enrichment'; readonly path: readonly string[] };

/** Null if there is no such field. */
export function sourceOf(field: string): Source | null {
  const point = field.indexOf('.');
  const key = field.slice(point + 1);
  if (point === -1) return isOwn(field) ? { from: field } : null;
  if (key === '') return null;
  switch (field.slice(0, point)) {
    case 'field':
      return { from: 'fields', key };
    case 'enrichment':
      return { from: 'enrichment', path: key.split('.') };
    case 'attribution':
      return { from: 'attribution', key: attributionKey(key) };
    default:
      return null;
  }
}

export const ownFields = ['form', 'surface', 'verdict', 'grade', 'score'] as const;

function isOwn(field: string): field is (typeof ownFields)[number] {
  return (ownFields as readonly string[]).includes(field);
}

function attributionKey(key: string): string {
  return isAttributionKey(key) || !isAttributionKey(`utm_${key}`) ? key : `utm_${key}`;
}

export function isAttributionKey(key: string): key is AttributionKey {
  return (attributionKeys as readonly string[]).includes(key);
}

/** The lead's values as JSON; none if there is no value. */
function valuesOf(field: string, lead: LeadFacts): JsonText[] {
  const source = sourceOf(field);
  switch (source?.from) {
    case 'form':
      return lead.form === null ? [] : [JSON.stringify(lead.form.id), JSON.stringify(lead.form.slug)];
    case 'surface':
    case 'verdict':
    case 'grade':
    case 'score':
      return [JSON.stringify(lead[source.from])];
    case 'attribution': {
      const text = documentOf(lead)
        .attribution()
        .get(source.key as AttributionKey);
      return text === undefined ? [] : [JSON.stringify(text)];
    }
    case 'fields':
      return itemsIn(documentOf(lead).valueAt(['fields', source.key]));
    case 'enrichment':
      return itemsIn(documentOf(lead).valueAt(['enrichment', ...source.path]));
    default:
      return [];
  }
}

function itemsIn(json: JsonText | undefined): JsonText[] {
  if (!isPresent(json)) return [];
  return kindOf(json) === 'list' ? itemsOf(json, itemsReadMax) : [json];
}

function isMet({ field, op, value }: Condition, lead: LeadFacts): boolean {
  const values = valuesOf(field, lead);
  if (op === 'exists') return values.length > 0 === (value !== false);
  const texts = values.filter(isComparable).map(textOf);
  const wanted = (Array.isArray(value) ? value : [value]) as readonly Scalar[];
  const isSame = (text: string) => wanted.some((one) => equals(text, one));
  switch (op) {
    case 'eq':
    case 'in':
      return texts.some(isSame);
    case 'ne':
    case 'not_in':
      return !texts.some(isSame);
    case 'gte':
      return texts.some((text) => compared(text, value) >= 0);
    case 'lte':
      return texts.some((text) => compared(text, value) <= 0);
    default:
      return containsAt(op, texts, String(value).toLowerCase());
  }
}

function isComparable(json: JsonText): boolean {
  return !['object', 'list', 'null'].includes(kindOf(json));
}

function containsAt(op: 'starts_with' | 'ends_with' | 'contains', texts: string[], part: string): boolean {
  return texts.some((text) => {
    const lower = text.toLowerCase();
    if (op === 'starts_with') return lower.startsWith(part);
    return op === 'ends_with' ? lower.endsWith(part) : lower.includes(part);
  });
}

function equals(text: string, wanted: Scalar): boolean {
  if (text === String(wanted)) return true;
  return typeof wanted === 'number' && compared(text, wanted) === 0;
}

/** NaN if one of them is not a number, so that no comparison is true. */
function compared(text: string, wanted: Condition['value']): number {
  const number = text.trim();
  const limit = String(wanted).trim();
  return decimalShape.test(number) && decimalShape.test(limit) ? compareDecimals(number, limit) : Number.NaN;
}
