import type { Form } from '../../../../src/contract/forms/form.ts';
import { fieldColumnPrefix } from '../../../../src/contract/leads/columns.ts';
import { ranges } from '../../../parts/charts/time-range.ts';
import { knownValues } from '../../../parts/conditions/known-values.ts';
import { exactTime } from '../../../parts/time.tsx';
import type { FilterOperator, FilterRow } from './filter-row.ts';
import { unreadable } from './filter-row.ts';

export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}

export const leadFields: readonly FieldChoice[] = [
  { value: 'score', label: 'Score' },
  { value: 'grade', label: 'Grade' },
  { value: 'verdict', label: 'Verdict' },
  { value: 'mark', label: 'Mark' },
  { value: 'form', label: 'Form' },
  { value: 'surface', label: 'Surface' },
  { value: 'received', label: 'Received' },
];

export const markChoices: readonly FieldChoice[] = [
  { value: 'spam', label: 'Marked as spam' },
  { value: 'not_spam', label: 'Marked as not spam' },
  { value: 'none', label: 'Not marked' },
];

export const operatorTexts: Readonly<Record<FilterOperator, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is any of',
  not_in: 'is none of',
  gte: 'is at least',
  lte: 'is at most',
  between: 'is between',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  present: 'is not empty',
  empty: 'is empty',
  exists: 'is not empty',
  within: 'in the last',
  dates: 'between days',
};

const fieldOperators: readonly FilterOperator[] = [
  'contains',
  'eq',
  'ne',
  'in',
  'starts_with',
  'empty',
  'present',
  'gte',
  'lte',
  'between',
];
const chosen: readonly FilterOperator[] = ['in', 'not_in'];
const operatorsByField: Readonly<Record<string, readonly FilterOperator[]>> = {
  score: ['gte', 'lte', 'between'],
  grade: chosen,
  verdict: chosen,
  form: chosen,
  surface: chosen,
  mark: ['eq'],
  received: ['within', 'dates'],
};

/** The operators that make sense for a field, the usual one first. */
export function operatorsOf(field: string): readonly FilterOperator[] {
  return Object.hasOwn(operatorsByField, field) ? (operatorsByField[field] ?? []) : fieldOperators;
}

export function fieldLabel(field: string, choices: readonly FieldChoice[]): string {
  const found = choices.find(({ value }) => value === field)?.label;
  return found ?? (field.startsWith(fieldColumnPrefix) ? field.slice(fieldColumnPrefix.length) : field);
}

const signs: Partial<Record<FilterOperator, string>> = {
  gte: '≥',
  lte: '≤',
  between: '',
  in: 'is',
  not_in: 'is not',
};
const shownCharacters = 60;

/** "Score ≥ 50", "Grade is A or B", "Company contains engine" */
export function filterText(row: FilterRow, choices: readonly FieldChoice[], forms: readonly Form[]): string {
  const { field, op } = row;
  if (field === unreadable) return 'Conditions that cannot be read';
  const values = [row.value].flat();
  const [first = '', second = ''] = values;
  const name = fieldLabel(field, choices);
  if (field === 'mark') return markChoices.find(({ value }) => value === first)?.label ?? `Mark is ${first}`;
  if (op === 'within')
    return `${name} in the last ${ranges.find(({ value }) => value === first)?.label ?? first}`;
  if (op === 'dates') return `${name} ${datesText(first, second)}`;
  if (op === 'between') return `${name} ${first}–${second}`;
  const word = signs[op] ?? operatorTexts[op];
  if (op === 'present' || op === 'empty') return `${name} ${word}`;
  return cut(`${name} ${word} ${values.map((value) => valueName(field, value, forms)).join(' or ')}`);
}

function valueName(field: string, value: string, forms: readonly Form[]): string {
  const known = knownValues(field, forms)?.find((choice) => choice.value === value)?.label;
  return known ?? (field === 'form' && isId(value) ? 'a deleted form' : value);
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);
}

function datesText(from: string, to: string): string {
  const start = timeText(from, 0);
  const end = timeText(to, 1);
  if (from === '') return `until ${end}`;
  return to === '' ? `since ${start}` : start === end ? start : `${start} – ${end}`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** Whole days are shown without a time. The end of a day is the start of the next. A URL can hold anything. */
function timeText(time: string, daysEarlier: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return time;
  if (at.getHours() + at.getMinutes() + at.getSeconds() > 0) return exactTime(time);
  at.setDate(at.getDate() - daysEarlier);
  return dayFormat.format(at);
}

function cut(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters - 1)}…`;
}

const decimal = /^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** What is missing or wrong, or null. */
export function filterError({ op, value }: FilterRow): string | null {
  const values = [value].flat();
  switch (op) {
    case 'present':
    case 'empty':
      return null;
    case 'gte':
    case 'lte':
      return decimal.test((values[0] ?? '').trim()) ? null : 'Enter a number.';
    case 'between':
      return [0, 1].every((place) => decimal.test((values[place] ?? '').trim()))
        ? null
        : 'Enter two numbers.';
    case 'dates':
      return values.some((day) => day !== '') ? null : 'Choose a day.';
    default:
      return values.length > 0 && values.every((text) => text !== '') ? null : 'Enter a value.';
  }
}
