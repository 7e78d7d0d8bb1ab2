import { destinationLimits } from './destination.ts';
import {
  fieldNamed,
  isPointer,
  keyOf,
  type Mapping,
  type MappingRow,
  otherFields,
  pathOf,
} from './mapping.ts';
import { isStorable, shown } from './row-errors.ts';

const fromCharactersMax = 500;
const toCharactersMax = 200;
const defaultCharactersMax = 1_000;

/** The first parts that a pointer can have. */
const documentKeys = [
  'submission_id',
  'form',
  'received_at',
  'surface',
  'verdict',
  'score',
  'grade',
  'fields',
  'enrichment',
  'reasons',
  'attribution',
  'test',
];

/** What is wrong with a mapping: a message per row, keyed by its place from 0. */
export function mappingErrors(mapping: Mapping): ReadonlyMap<number, string> {
  const rowByKey = new Map<string, number>();
  const hasOthers = mapping.some(({ from }) => from === otherFields);
  const errors = new Map<number, string>();
  for (const [place, row] of mapping.entries()) {
    const key = row.drop === true ? `\0${row.from}` : keyOf(row);
    const error =
      rowError(row) ??
      (row.drop === true && !hasOthers ? `\`drop\` needs a row with \`from\` \`${otherFields}\`` : null) ??
      (rowByKey.has(key) ? repeatError(row, (rowByKey.get(key) ?? 0) + 1) : null);
    if (error !== null) errors.set(place, `Row ${place + 1}: ${error}`);
    else rowByKey.set(key, place);
  }
  return errors;
}

/** What is wrong with a mapping as a whole, or null. */
export function mappingError(mapping: Mapping): string | null {
  const { mappingRows } = destinationLimits;
  return mapping.length > mappingRows ? `use at most ${mappingRows} rows` : null;
}

function repeatError(row: MappingRow, number: number): string {
  return row.drop === true
    ? `row ${number} drops this field already`
    : `row ${number} sends \`${shown(keyOf(row))}\` already`;
}

function rowError(row: MappingRow): string | null {
  return (
    fromError(row.from) ?? (row.from === otherFields || row.drop === true ? extraError(row) : sentError(row))
  );
}

function fromError(from: string): string | null {
  if (from === '')
    return '`from` is empty; use the key of a field, or a JSON pointer such as `/enrichment/company/name`';
  if (from.length > fromCharactersMax) return `\`from\` has more than ${fromCharactersMax} characters`;
  if (!isStorable(from)) return '`from` contains characters that cannot be stored';
  if (!isPointer(from)) return null;
  if (/~(?![01])/.test(from)) return '`from` has a `~` that is not `~0` or `~1`';
  const [first = ''] = pathOf(from);
  return documentKeys.includes(first)
    ? null
    : `\`${shown(from)}\` starts with none of ${documentKeys.map((key) => `/${key}`).join(', ')}`;
}

/** Rows that do not say what to send under which key. */
function extraError(row: MappingRow): string | null {
  const isPlain = row.to === undefined && row.as === undefined && row.default === undefined;
  if (row.drop !== true)
    return isPlain
      ? null
      : `\`${otherFields}\` sends fields as they are, without \`to\`, \`as\` or \`default\``;
  if (!isPlain) return 'a row with `drop` has no `to`, `as` or `default`';
  return row.from !== otherFields && fieldNamed(row) !== undefined ? null : '`drop` needs the key of a field';
}

function sentError(row: MappingRow): string | null {
  const { from, to, default: given } = row;
  if (to === undefined && isPointer(from)) return '`to` is required with a JSON pointer';
  if (to === '') return '`to` is empty';
  if (to !== undefined && to.length > toCharactersMax)
    return `\`to\` has more than ${toCharactersMax} characters`;
  if (to !== undefined && !isStorable(to)) return '`to` contains characters that cannot be stored';
  if (typeof given !== 'string') return null;
  if (given.length > defaultCharactersMax)
    return `\`default\` has more than ${defaultCharactersMax} characters`;
  return isStorable(given) ? null : '`default` contains characters that cannot be stored';
}
