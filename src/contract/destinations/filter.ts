import { z } from 'zod';
import { type Condition, type Filter, filterOps } from '../../domain/destination/filter.ts';
import { conditionError, filterError } from '../../domain/destination/filter-errors.ts';
import { inRow } from './row-rule.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const condition = z
  .strictObject(
    {
      field: z
        .string(inRow('Condition', '`field` must be text'))
        .describe(
          '`form` (its ID or slug), `surface`, `verdict`, `grade`, `score`, `field.<key>`, `enrichment.<path>` or `attribution.<key>`.',
        ),
      op: z.enum(filterOps, inRow('Condition', `\`op\` is one of ${filterOps.join(', ')}`)),
      value: z
        .union(
          [scalar, z.array(scalar)],
          inRow('Condition', '`value` must be text, a number, true or false, or a list of them'),
        )
        .optional()
        .describe('A list for `in` and `not_in`, a number for `gte` and `lte`, true or false for `exists`.'),
    },
    inRow('Condition', 'use the members `field`, `op` and `value`'),
  )
  .meta({ id: 'FilterCondition' });

const conditions = z
  .array(condition, { error: 'must be a list of conditions' })
  .superRefine((rows, context) => {
    for (const [place, row] of rows.entries()) {
      const message = conditionError(row as Condition, place + 1);
      if (message !== null) context.addIssue({ code: 'custom', path: [place], message });
    }
  });

/** Which leads a destination gets. */
export const filter = z
  .strictObject(
    {
      all: conditions.optional().describe('Every condition must be met. An empty list is every lead.'),
      any: conditions.optional().describe('One condition must be met.'),
    },
    { error: filterRule },
  )
  .superRefine((rows, context) => {
    const message = filterError(rows);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .meta({ id: 'LeadFilter', minProperties: 1, maxProperties: 1 }) as unknown as z.ZodType<Filter, Filter>;

function filterRule(): string {
  return 'use either `all` or `any`, with a list of conditions';
}
