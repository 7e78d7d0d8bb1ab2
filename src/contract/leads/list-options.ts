import { z } from 'zod';
import type { Condition } from '../../domain/destination/filter.ts';
import { sourceOf } from '../../domain/destination/filter.ts';
import { filter } from '../destinations/filter.ts';
import { exactText } from '../shape.ts';
import { fieldColumnPrefix } from './columns.ts';

const whereConditionsMax = 20;
// Twenty lists of long values.
const whereCharactersMax = 100_000;
const sortKeyCharactersMax = 300;

const whereFields = ['form', 'surface', 'verdict', 'grade', 'score'];
const example = '{"all":[{"field":"score","op":"gte","value":50}]}';

/** The conditions that a lead must meet, as JSON text in the shape of a destination's filter. */
export const where = z
  .string()
  .max(whereCharactersMax)
  .transform((text, context): readonly Condition[] => {
    const found = conditionsIn(text);
    if (Array.isArray(found)) return found;
    for (const message of found.errors) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    description: [
      `Leads that meet all of up to ${whereConditionsMax} conditions, as JSON text in the shape of a destination's filter: \`${example}\`.`,
      `Fields are ${whereFields.map((name) => `\`${name}\``).join(', ')} and \`${fieldColumnPrefix}<key>\`.`,
    ].join(' '),
  });

function conditionsIn(text: string): Condition[] | { readonly errors: readonly string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { errors: [`must be JSON such as ${example}`] };
  }
  const parsed = filter.safeParse(json);
  if (!parsed.success) return { errors: parsed.error.issues.map(({ message }) => message) };
  const { all } = parsed.data;
  if (all === undefined) return { errors: ['use `all`; `any` is not possible here'] };
  if (all.length > whereConditionsMax) return { errors: [`use at most ${whereConditionsMax} conditions`] };
  const errors = all.flatMap(({ field }, place) =>
    isWhereField(field)
      ? []
      : `Condition ${place + 1}: leads cannot be listed by \`${field}\`; use ${whereFields.join(', ')} or ${fieldColumnPrefix}<key>`,
  );
  return errors.length > 0 ? { errors } : [...all];
}

function isWhereField(field: string): boolean {
  const from = sourceOf(field)?.from;
  return from === 'fields' || whereFields.includes(field);
}

const ownSorts = ['received', 'score', 'grade', 'verdict', 'form'] as const;
type LeadSort = (typeof ownSorts)[number] | `${typeof fieldColumnPrefix}${string}`;

const sort = exactText(fieldColumnPrefix.length + sortKeyCharactersMax)
  .refine(isSort, `use ${ownSorts.join(', ')} or ${fieldColumnPrefix}<key>`)
  .default('received')
  .meta({
    description: [
      `What the list is sorted by: ${ownSorts.map((name) => `\`${name}\``).join(', ')} or \`${fieldColumnPrefix}<key>\`.`,
      'Forms are sorted by name, verdicts as clean, suspect, spam. Numbers come before text, which is compared ignoring case; leads without a value come last in either order.',
      'Leads with equal values are sorted by the time they were received.',
    ].join(' '),
  }) as unknown as z.ZodDefault<z.ZodType<LeadSort, string>>;

function isSort(text: string): text is LeadSort {
  return (
    (ownSorts as readonly string[]).includes(text) ||
    (text.startsWith(fieldColumnPrefix) && text !== fieldColumnPrefix)
  );
}

const order = z
  .enum(['desc', 'asc'])
  .default('desc')
  .describe('`desc`: the newest or highest first. `asc`: the oldest or lowest first.');

export const sorting = { sort, order };
export type Sorting = z.output<z.ZodObject<typeof sorting>>;

/** What a list says while only its newest leads can be sorted. */
export const preparing = z
  .object({
    sorted: z.int().describe('How many of the newest leads are listed, in the right order among themselves.'),
    done: z.int().describe('How many leads are prepared so far.'),
    total: z.int().describe('How many there are to prepare, approximately.'),
  })
  .nullable()
  .describe(
    'Set while too many leads of the workspace are not in the index yet to sort all of them. The index is built in the background. Null otherwise.',
  );
export type Preparing = z.output<typeof preparing>;
