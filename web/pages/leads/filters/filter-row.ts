import {
  type Condition,
  conditionOf,
  conditionRowOf,
  type Operator,
} from '../../../parts/conditions/condition.ts';
import { isFieldFilterName, type LeadSearch } from '../../../search.ts';

/** What people choose: the operators of conditions, and those that are several conditions or none. */
export type FilterOperator = Operator | 'between' | 'present' | 'empty' | 'within' | 'dates';

/** A filter of the list, as people see and edit it. `between` and `dates` have two values. */
export interface FilterRow {
  /** `received`, `mark`, or a field of a condition. */
  readonly field: string;
  readonly op: FilterOperator;
  readonly value: string | readonly string[];
}

/** A `where` that is not readable, for example because someone typed it. */
export const unreadable = 'where';

/** Filters that the URL names by themselves, if they are a single value. */
const ownParameters = { form: 'form_id', verdict: 'verdict', surface: 'surface' } as const;
const chosenFields = new Set(['form', 'verdict', 'surface', 'grade']);

export function filterRowsOf(search: LeadSearch): FilterRow[] {
  const { mark, range, from, to, where } = search;
  const rows: FilterRow[] = [];
  for (const [field, parameter] of Object.entries(ownParameters)) {
    const value = search[parameter];
    if (isGiven(value)) rows.push({ field, op: 'in', value: [value] });
  }
  if (isGiven(mark)) rows.push({ field: 'mark', op: 'eq', value: mark });
  if (isGiven(from) || isGiven(to))
    rows.push({ field: 'received', op: 'dates', value: [from ?? '', to ?? ''] });
  else if (range !== undefined) rows.push({ field: 'received', op: 'within', value: range });
  for (const name of Object.keys(search).filter(isFieldFilterName)) {
    const value = search[name];
    if (isGiven(value)) rows.push({ field: name, op: 'eq', value });
  }
  return isGiven(where) ? [...rows, ...rowsOfWhere(where)] : rows;
}

/** The same filters as parameters of the URL. Parameters that are no longer needed are undefined. */
export function searchOfRows(rows: readonly FilterRow[], before: LeadSearch): LeadSearch {
  const parameters: Record<string, string | undefined> = {
    form_id: undefined,
    verdict: undefined,
    surface: undefined,
    mark: undefined,
    range: undefined,
    from: undefined,
    to: undefined,
    where: undefined,
    ...Object.fromEntries(
      Object.keys(before)
        .filter(isFieldFilterName)
        .map((name) => [name, undefined]),
    ),
  };
  const conditions: Condition[] = [];
  for (const row of rows) {
    const own = parametersOf(row);
    const isFree = own !== null && Object.keys(own).every((name) => parameters[name] === undefined);
    if (own !== null && (isFree || row.field === 'mark' || row.field === 'received'))
      Object.assign(parameters, own);
    else if (row.field === unreadable) parameters.where = String(row.value);
    else conditions.push(...conditionsOf(row));
  }
  if (conditions.length > 0) parameters.where = JSON.stringify({ all: conditions });
  return parameters as LeadSearch;
}

function parametersOf({ field, op, value }: FilterRow): Record<string, string> | null {
  const values = [value].flat();
  const [first = '', second = ''] = values;
  if (field === 'mark') return { mark: first };
  if (field === 'received' && op === 'within') return { range: first };
  if (field === 'received')
    return { ...(first === '' ? {} : { from: first }), ...(second === '' ? {} : { to: second }) };
  const parameter = Object.hasOwn(ownParameters, field)
    ? ownParameters[field as keyof typeof ownParameters]
    : null;
  return parameter !== null && op === 'in' && values.length === 1 ? { [parameter]: first } : null;
}

function conditionsOf({ field, op, value }: FilterRow): Condition[] {
  const values = [value].flat();
  const [first = '', second = ''] = values;
  switch (op) {
    case 'between':
      return [
        conditionOf({ field, op: 'gte', value: first }),
        conditionOf({ field, op: 'lte', value: second }),
      ];
    case 'present':
    case 'empty':
      return [{ field, op: 'exists', value: op === 'present' }];
    case 'within':
    case 'dates':
      return [];
    default:
      return [conditionOf({ field, op, value: typeof value === 'string' ? value : [...value] })];
  }
}

function rowsOfWhere(where: string): FilterRow[] {
  const conditions = conditionsIn(where);
  if (conditions === null) return [{ field: unreadable, op: 'eq', value: where }];
  const rows: FilterRow[] = [];
  for (const condition of conditions) {
    const row = rowOf(condition);
    const last = rows.at(-1);
    // A range is written as two conditions.
    if (last?.field === row.field && last.op === 'gte' && row.op === 'lte')
      rows.splice(-1, 1, { ...row, op: 'between', value: [String(last.value), String(row.value)] });
    else rows.push(row);
  }
  return rows;
}

function rowOf(condition: Condition): FilterRow {
  const row = conditionRowOf(condition);
  if (row.op === 'exists') return { ...row, op: row.value === 'false' ? 'empty' : 'present', value: '' };
  if (!chosenFields.has(row.field)) return row;
  if (row.op === 'eq') return { ...row, op: 'in', value: [String(row.value)] };
  return row.op === 'ne' ? { ...row, op: 'not_in', value: [String(row.value)] } : row;
}

function conditionsIn(where: string): Condition[] | null {
  try {
    const { all } = JSON.parse(where) as { all: Condition[] };
    const isReadable = all.every(({ field, op }) => typeof field === 'string' && typeof op === 'string');
    return isReadable ? all : null;
  } catch {
    return null;
  }
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
