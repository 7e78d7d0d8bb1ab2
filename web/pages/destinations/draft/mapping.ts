import type { OfKind } from '../kinds/kind-words.ts';

type Row = OfKind<'webhook'>['mapping'][number];
export type Conversion = NonNullable<Row['as']>;
type Default = Row['default'];

/** A row of the mapping while it is edited; values that are not set are empty. */
export interface MappingDraftRow {
  readonly from: string;
  readonly to: string;
  readonly as: Conversion | '';
  readonly default: string;
  readonly drop: boolean;
  /** As it is stored, because its text does not say whether it is text. */
  readonly stored?: Default;
}

export const conversions: Readonly<Record<Conversion, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true or false',
  date: 'date',
  email: 'email',
  phone: 'phone',
  list: 'list as text',
};

export const emptyRow: MappingDraftRow = { from: '', to: '', as: '', default: '', drop: false };

export function mappingRowOf({ from, to = '', as, default: stored, drop = false }: Row): MappingDraftRow {
  return { from, to, as: as ?? '', default: stored === undefined ? '' : String(stored), drop, stored };
}

/** Values that are not set are left out. */
export function rowOf(row: MappingDraftRow): Row {
  if (row.drop) return { from: row.from, drop: true };
  const value = defaultOf(row);
  return {
    from: row.from,
    ...(row.to === '' ? {} : { to: row.to }),
    ...(row.as === '' ? {} : { as: row.as }),
    ...(value === undefined ? {} : { default: value }),
  };
}

function defaultOf({ as, default: text, stored }: MappingDraftRow): Default {
  if (stored !== undefined && String(stored) === text) return stored;
  if (text === '') return undefined;
  if (as === 'number' && Number.isFinite(Number(text))) return Number(text);
  if (as === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
