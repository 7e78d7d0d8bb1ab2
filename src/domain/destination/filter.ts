import { itemsOf, type JsonText, kindOf } from '../json/json-text.ts';
import { type AttributionKey, attributionKeys } from '../lead/attribution.ts';
import type { LeadFacts } from './lead-facts.ts';
import { compareDecimals, decimalKey, decimalOf } from './reading/decimal.ts';
import { contains, FieldValues } from './reading/field-values.ts';
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

const valuesByLead = new WeakMap<LeadFacts, Map<string, FieldValues>>();

/** A lead meets many conditions on the same field: the first reads it. */
function valuesOf(field: string, lead: LeadFacts): FieldValues {
  const known = valuesByLead.get(lead) ?? new Map<string, FieldValues>();
  valuesByLead.set(lead, known);
  const values = known.get(field) ?? new FieldValues(jsonOf(field, lead));
  known.set(field, values);
  return values;
}

/** The lead's values as JSON; none if there is no value. */
function jsonOf(field: string, lead: LeadFacts): JsonText[] {
  const source = sourceOf(field);
  switch (source?.from) {
    case 'form':
      return [lead.formId, lead.form?.slug ?? null].flatMap((name) =>
        name === null ? [] : JSON.stringify(name),
      );
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

function isMet(condition: Condition, lead: LeadFacts): boolean {
  const { field, op, value } = condition;
  const values = valuesOf(field, lead);
  switch (op) {
    case 'exists':
      return values.isPresent === (value !== false);
    case 'eq':
    case 'in':
      return isAmong(values, condition);
    case 'ne':
    case 'not_in':
      return !isAmong(values, condition);
    case 'gte':
      return compared(values, value).some((order) => order >= 0);
    case 'lte':
      return compared(values, value).some((order) => order <= 0);
    default:
      return hasPart(op, values, String(value).toLowerCase());
  }
}

/** What `eq` and `in` look for. */
interface Wanted {
  readonly texts: ReadonlySet<string>;
  /** Of numbers, so that other notations are found too. */
  readonly decimals: ReadonlySet<string>;
}

const wantedByCondition = new WeakMap<Condition, Wanted>();

function wantedIn(condition: Condition): Wanted {
  const known = wantedByCondition.get(condition);
  if (known !== undefined) return known;
  const scalars = [condition.value].flat() as readonly Scalar[];
  const decimals = scalars
    .filter((one) => typeof one === 'number')
    .flatMap((one) => decimalOf(String(one)) ?? []);
  const wanted = { texts: new Set(scalars.map(String)), decimals: new Set(decimals.map(decimalKey)) };
  wantedByCondition.set(condition, wanted);
  return wanted;
}

/** In sets: a list of 1,000 items is not compared with each of 100 values. */
function isAmong(values: FieldValues, condition: Condition): boolean {
  const { texts, decimals } = wantedIn(condition);
  if (values.texts().some((text) => texts.has(text))) return true;
  return decimals.size > 0 && values.decimalKeys().some((key) => decimals.has(key));
}

function compared(values: FieldValues, value: Condition['value']): number[] {
  const limit = decimalOf(String(value).trim());
  return limit === null ? [] : values.decimals().map((decimal) => compareDecimals(decimal, limit));
}

function hasPart(op: 'starts_with' | 'ends_with' | 'contains', values: FieldValues, part: string): boolean {
  switch (op) {
    case 'starts_with':
      return values.lowerTexts().some((text) => text.startsWith(part));
    case 'ends_with':
      return values.lowerTexts().some((text) => text.endsWith(part));
    case 'contains':
      return values.lowerTexts().some((text) => contains(text, part));
  }
}
