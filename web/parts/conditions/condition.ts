import type { Destination } from '../../../src/contract/destinations/destinations.ts';

export type Condition = NonNullable<Destination['filter']['all']>[number];
export type Operator = Condition['op'];
type Value = NonNullable<Condition['value']>;
type Plain = Exclude<Value, readonly unknown[]>;

/** A condition while it is edited. */
export interface ConditionRow {
  readonly field: string;
  readonly op: Operator;
  /** A list for `in` and `not_in`. */
  readonly value: string | string[];
}

export const operators: Readonly<Record<Operator, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gte: 'is at least',
  lte: 'is at most',
  exists: 'is present',
  starts_with: 'starts with',
  ends_with: 'ends with',
  contains: 'contains',
};

export const takesList = (op: Operator) => op === 'in' || op === 'not_in';
const takesText = (op: Operator) => op === 'starts_with' || op === 'ends_with' || op === 'contains';

export function conditionRowOf({ field, op, value = true }: Condition): ConditionRow {
  const texts = [value].flat().map(String);
  return { field, op, value: takesList(op) ? texts : (texts[0] ?? '') };
}

export function conditionOf({ field, op, value }: ConditionRow): Condition {
  const texts = [value].flat();
  if (takesList(op)) return { field, op, value: texts.map(plainOf) };
  const [text = ''] = texts;
  return { field, op, value: op === 'exists' ? text !== 'false' : takesText(op) ? text : plainOf(text) };
}

/** Only what a number writes back in the same way: `007` and numbers of many digits stay text. */
function plainOf(text: string): Plain {
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) && Math.abs(number) < 1e15
    ? number
    : text;
}

/** The value that fits another operator best. */
export function withOperator(row: ConditionRow, op: Operator): ConditionRow {
  const texts = [row.value].flat();
  if (op === 'exists') return { ...row, op, value: 'true' };
  const kept = row.op === 'exists' ? [] : texts;
  return { ...row, op, value: takesList(op) ? kept.filter((text) => text !== '') : (kept[0] ?? '') };
}

/** Until then there is nothing to count. */
export function isComplete({ field, value }: ConditionRow): boolean {
  return field.trim() !== '' && value.length > 0;
}
