import { keyOf, type Mapping, type MappingRow, otherFields } from '../mapping.ts';
import type { Conversion } from '../reading/conversion.ts';
import { shown } from '../row-errors.ts';
import { contactIdProperty } from './contact.ts';

/** A property of contacts, as far as a mapping depends on it. */
export interface HubspotProperty {
  /** Its internal name, which the API uses. */
  readonly name: string;
  /** What people see in HubSpot. */
  readonly label: string;
  /** `string`, `number`, `bool`, `date`, `datetime`, `enumeration` and others. */
  readonly type: string;
  /** False for what HubSpot sets or calculates itself. */
  readonly isWritable: boolean;
  /** The values that an enumeration accepts; null if any text may be one. */
  readonly options: readonly string[] | null;
}

export interface MappingProblem {
  /** Of the row, from 0; null if it is about the mapping as a whole. */
  readonly place: number | null;
  readonly message: string;
}

/**
 * Why contacts made with a mapping would be refused, whatever the leads are. Whether a value of a lead is one that an
 * enumeration accepts is known only when it is sent: then HubSpot refuses that lead.
 */
export function mappingProblems(
  mapping: Mapping,
  properties: readonly HubspotProperty[],
): readonly MappingProblem[] {
  const byName = new Map(properties.map((property) => [property.name, property]));
  const problems: MappingProblem[] = [];
  for (const [place, row] of mapping.entries()) {
    const message = row.drop === true ? null : rowProblem(row, byName);
    if (message !== null) problems.push({ place, message: `Row ${place + 1}: ${message}` });
  }
  if (!mapping.some((row) => row.drop !== true && keyOf(row) === contactIdProperty))
    problems.push({
      place: null,
      message: `one row must set \`${contactIdProperty}\`, which contacts are found by`,
    });
  return problems;
}

function rowProblem(row: MappingRow, byName: ReadonlyMap<string, HubspotProperty>): string | null {
  if (row.from === otherFields)
    return `\`${otherFields}\` cannot be used, because HubSpot refuses contacts with fields that it does not know: name each property`;
  const key = keyOf(row);
  if (key === contactIdProperty) return idProblem(row);
  const property = byName.get(key);
  if (property === undefined) return unknownProblem(key, byName);
  if (!property.isWritable) return `\`${shown(key)}\` is read-only in HubSpot`;
  return typeProblem(row, property);
}

/** With a default, all leads without an address would become one contact. */
function idProblem({ as, default: given }: MappingRow): string | null {
  if (given !== undefined) return `\`${contactIdProperty}\` cannot have a \`default\``;
  const isFit = as === undefined || as === 'text' || as === 'email';
  return isFit ? null : `\`${contactIdProperty}\` needs the value as it is, or \`as\` \`email\``;
}

function unknownProblem(key: string, byName: ReadonlyMap<string, HubspotProperty>): string {
  const wanted = key.toLowerCase();
  const meant = [...byName.values()].find(
    ({ name, label }) => name.toLowerCase() === wanted || label.toLowerCase() === wanted,
  );
  const hint = meant === undefined ? '' : `; use its internal name \`${shown(meant.name)}\``;
  return `HubSpot has no contact property \`${shown(key)}\`${hint}`;
}

/** How values reach the types that do not accept any text. */
const conversionOf: Readonly<Partial<Record<string, Conversion>>> = {
  number: 'number',
  bool: 'boolean',
  date: 'date',
  datetime: 'date',
};

/** Members of a lead that have the right form as they are. */
const formOf: Readonly<Partial<Record<string, Conversion>>> = {
  '/score': 'number',
  '/test': 'boolean',
  '/received_at': 'date',
};

function typeProblem(row: MappingRow, { type, options }: HubspotProperty): string | null {
  const { from, as, default: given } = row;
  const key = shown(keyOf(row));
  if (type === 'enumeration' && as === 'list')
    return `\`${key}\` needs a list as it is: HubSpot separates choices with semicolons`;
  if (given !== undefined && given !== null && options !== null && !options.includes(String(given)))
    return `\`default\` is none of the options of \`${key}\``;
  if (type === 'date' && from === '/received_at')
    return `\`${key}\` accepts only a date, and \`${from}\` has a time: use a property with date and time`;
  const needed = conversionOf[type];
  if (needed === undefined || as === needed || (as === undefined && formOf[from] === needed)) return null;
  return `\`${key}\` is a ${typeNames[type]} in HubSpot: use \`as\` \`${needed}\``;
}

const typeNames: Readonly<Partial<Record<string, string>>> = {
  number: 'number',
  bool: 'checkbox',
  date: 'date',
  datetime: 'date with a time',
};
