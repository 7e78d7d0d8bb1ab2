import { type RawBuilder, sql } from 'kysely';
import type { Condition, Scalar } from '../../domain/destination/filter.ts';
import { contentFields } from './lead-content.ts';

/**
 * A condition on leads. What is met is the same as in domain/destination/filter.ts, with these differences: case is ignored
 * as PostgreSQL does, and numbers with exponents or digits beyond what `numeric` accepts are not compared.
 */
export type LeadCondition =
  | (Condition & { readonly formIds?: undefined })
  /** A condition on the form, whose slug is not in the table of leads. */
  | { readonly formIds: readonly string[]; readonly isNot: boolean };

/** Conditions that the index of the list can check. */
export function isInIndex(condition: LeadCondition): boolean {
  return condition.formIds !== undefined || condition.field === 'verdict' || condition.field === 'surface';
}

/**
 * Whether the index of the list can only check it for each lead, and not look for the leads that meet it. PostgreSQL reads a lead
 * before it checks such a condition, unless all that it returns is in the index.
 */
export function isCheckedInIndex(condition: LeadCondition): boolean {
  if (!isInIndex(condition)) return false;
  if (condition.formIds !== undefined) return condition.isNot || condition.formIds.length !== 1;
  return !['eq', 'in'].includes(condition.op) || [condition.value].flat().length !== 1;
}

export function isMet(condition: LeadCondition): RawBuilder<unknown> {
  if (condition.formIds !== undefined) {
    const [one, ...others] = condition.formIds;
    // PostgreSQL before 17 does not decide on a list in an index that it reads in order.
    const isAmong =
      one !== undefined && others.length === 0
        ? sql`form_id = ${one}::uuid`
        : sql`form_id = any (${condition.formIds}::uuid[])`;
    return condition.isNot ? sql`not (${isAmong})` : isAmong;
  }
  const { field } = condition;
  if (isOfField(condition)) return isMetByField(condition, field.slice(fieldPrefix.length));
  return isMetByText(condition, field === 'score' ? sql`score::text` : sql.ref(field));
}

const fieldPrefix = 'field.';

/** A condition on a field that the sender sent. */
export function isOfField(condition: LeadCondition): boolean {
  return condition.formIds === undefined && condition.field.startsWith(fieldPrefix);
}

/** A value that is always there. */
function isMetByText({ op, value, ...rest }: Condition, text: RawBuilder<unknown>): RawBuilder<unknown> {
  if (op === 'exists') return sql`${value !== false}::boolean`;
  const isOne = isText({ op, value, ...rest }, text);
  // Not in a function, so that the index of the list can decide on it.
  return op === 'ne' || op === 'not_in' ? sql`not coalesce(${isOne}, false)` : isOne;
}

const itemsReadMax = 1_000;

function isMetByField(condition: Condition, key: string): RawBuilder<unknown> {
  const json = sql`${contentFields} -> ${key}::text`;
  const isThere = sql`coalesce(${json} not in ('null', '""', '[]', '{}'), false)`;
  if (condition.op === 'exists') return condition.value === false ? sql`not ${isThere}` : isThere;
  const oneIs = sql`coalesce(case jsonb_typeof(${json})
    when 'array' then exists (
      select from jsonb_array_elements(${json}) with ordinality as items (item, place)
      where items.place <= ${itemsReadMax} and jsonb_typeof(items.item) not in ('object', 'array', 'null')
        and ${isText(condition, sql`items.item #>> '{}'`)})
    when 'object' then false
    else ${json} <> '""' and ${isText(condition, sql`${contentFields} ->> ${key}::text`)} end, false)`;
  return condition.op === 'ne' || condition.op === 'not_in' ? sql`not ${oneIs}` : oneIs;
}

/** For `ne` and `not_in`, whether `eq` or `in` is met. */
function isText({ op, value }: Condition, text: RawBuilder<unknown>): RawBuilder<unknown> {
  const scalars = [value].flat() as readonly Scalar[];
  switch (op) {
    case 'gte':
      return sql`${numberIn(text)} >= ${limitIn(value)}::numeric`;
    case 'lte':
      return sql`${numberIn(text)} <= ${limitIn(value)}::numeric`;
    case 'starts_with':
      return sql`${text} ilike ${`${escaped(String(value))}%`}`;
    case 'ends_with':
      return sql`${text} ilike ${`%${escaped(String(value))}`}`;
    case 'contains':
      return sql`${text} ilike ${`%${escaped(String(value))}%`}`;
    default: {
      const numbers = scalars.filter((one) => typeof one === 'number').map(String);
      const [one, ...others] = scalars.map(String);
      const isOne = one !== undefined && others.length === 0;
      const isSame = isOne
        ? sql`${text} = ${one}::text`
        : sql`${text} = any (${scalars.map(String)}::text[])`;
      if (numbers.length === 0) return isSame;
      return sql`(${isSame} or coalesce(${numberIn(text)} = any (${numbers}::numeric[]), false))`;
    }
  }
}

// What `numeric` can hold, and no number that takes long to write out.
const numberShape = '^[+-]?[0-9]{1,250}(\\.[0-9]{1,250})?([eE][+-]?[0-9]{1,3})?$';

/** Null, and so never met, if it cannot be compared. */
function limitIn(value: Condition['value']): string | null {
  const text = String(value).trim();
  return new RegExp(numberShape).test(text) ? text : null;
}

/** Null if the text is not a number. */
function numberIn(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const trimmed = sql`btrim(${text}, E' \\t\\n\\r')`;
  return sql`case when ${trimmed} ~ ${numberShape} then (${trimmed})::numeric end`;
}

export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
