import { attributionKeys } from '../lead/attribution.ts';
import type { Grade, Verdict } from '../score/score.ts';
import { surfaces } from '../surface.ts';
import { destinationLimits } from './destination.ts';
import { type Condition, isAttributionKey, ownFields, type Scalar, sourceOf } from './filter.ts';
import { decimalShape } from './reading/decimal.ts';
import { isStorable, shown } from './row-errors.ts';

const valueCharactersMax = 1_000;
const valuesMax = 100;
const fieldCharactersMax = 300;
/** Any number with as many digits survives a JavaScript number. */
const exactDigits = 15;

const known: Readonly<Record<string, readonly string[]>> = {
  surface: surfaces,
  verdict: Object.keys({ clean: 1, suspect: 1, spam: 1 } satisfies Record<Verdict, 1>),
  grade: Object.keys({ A: 1, B: 1, C: 1, D: 1, E: 1 } satisfies Record<Grade, 1>),
};

/** What is wrong with a filter as a whole, or null. */
export function filterError({ all, any }: { all?: unknown; any?: unknown }): string | null {
  if ((all === undefined) === (any === undefined))
    return 'use either `all` or `any`, with a list of conditions';
  const conditions = (all ?? any) as readonly unknown[];
  if (any !== undefined && conditions.length === 0) return '`any` needs at least one condition';
  const { conditions: conditionsMax } = destinationLimits;
  return conditions.length > conditionsMax ? `use at most ${conditionsMax} conditions` : null;
}

/** What is wrong with a condition, or null. `number` counts from 1. */
export function conditionError(condition: Condition, number: number): string | null {
  const error = fieldError(condition.field) ?? valueError(condition);
  return error === null ? null : `Condition ${number}: ${error}`;
}

function fieldError(field: string): string | null {
  const source = field.length <= fieldCharactersMax && isStorable(field) ? sourceOf(field) : null;
  if (source === null || (source.from === 'enrichment' && source.path.includes('')))
    return `\`${shown(field)}\` is not a field of a lead; use ${ownFields.join(', ')}, field.<key>, enrichment.<path> or attribution.<key>`;
  if (source.from === 'attribution' && !isAttributionKey(source.key))
    return `\`${shown(field)}\` is not known; use attribution. with ${attributionKeys.join(', ')}`;
  return null;
}

function valueError({ field, op, value }: Condition): string | null {
  switch (op) {
    case 'exists':
      return value === undefined || typeof value === 'boolean' ? null : '`exists` needs true or false';
    case 'eq':
    case 'ne':
      return isScalar(value) ? scalarError(field, value) : `\`${op}\` needs text, a number, or true or false`;
    case 'in':
    case 'not_in':
      if (!Array.isArray(value) || value.length === 0 || value.length > valuesMax || !value.every(isScalar))
        return `\`${op}\` needs a list of 1 to ${valuesMax} values`;
      return value.map((one) => scalarError(field, one)).find((error) => error !== null) ?? null;
    case 'gte':
    case 'lte':
      return isNumber(value) ? scalarError('', value) : `\`${op}\` needs a number`;
    default:
      return typeof value === 'string' && value !== '' ? scalarError('', value) : `\`${op}\` needs text`;
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isNumber(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && decimalShape.test(value.trim()));
}

function scalarError(field: string, value: Scalar): string | null {
  if (typeof value === 'number') {
    const digits = String(value).replace(/e.*$/, '').replace(/\D/g, '').length;
    if (digits > exactDigits) return 'write a number of more than 15 digits as text';
  }
  if (typeof value === 'string') {
    if (value.length > valueCharactersMax) return `use at most ${valueCharactersMax} characters`;
    if (!isStorable(value)) return 'contains characters that cannot be stored';
  }
  const choices = Object.hasOwn(known, field) ? known[field] : undefined;
  if (choices !== undefined && !choices.includes(String(value)))
    return `\`${field}\` is one of ${choices.join(', ')}`;
  return field === 'score' && !isNumber(value) ? '`score` is a number' : null;
}
