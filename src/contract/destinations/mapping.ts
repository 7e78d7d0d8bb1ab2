import { z } from 'zod';
import type { Mapping } from '../../domain/destination/mapping.ts';
import { mappingError, mappingErrors } from '../../domain/destination/mapping-errors.ts';
import { conversions } from '../../domain/destination/reading/conversion.ts';
import { inRow } from './row-rule.ts';

const row = z
  .strictObject(
    {
      from: z
        .string(inRow('Row', '`from` must be text'))
        .describe(
          'The key of a field, a JSON pointer such as `/enrichment/company/name`, or `*` for all fields that no row names.',
        ),
      to: z
        .string(inRow('Row', '`to` must be text'))
        .optional()
        .describe('The key to send; the same key if left out.'),
      as: z
        .enum(conversions, inRow('Row', `\`as\` is one of ${conversions.join(', ')}`))
        .optional()
        .describe('What to send the value as; as it is, if left out.'),
      default: z
        .union(
          [z.string(), z.number(), z.boolean(), z.null()],
          inRow('Row', '`default` must be text, a number, true, false or null'),
        )
        .optional()
        .describe('What to send if there is no value, or if it cannot be converted.'),
      drop: z
        .boolean(inRow('Row', '`drop` must be true or false'))
        .optional()
        .describe('True excludes the field from `*`.'),
    },
    inRow('Row', 'use the members `from`, `to`, `as`, `default` and `drop`'),
  )
  .meta({ id: 'MappingRow' });

/** What the format `mapped` sends of a lead. */
export const mapping = z
  .array(row, { error: 'must be a list of rows' })
  .superRefine((rows, context) => {
    const whole = mappingError(rows);
    if (whole !== null) context.addIssue({ code: 'custom', message: whole });
    for (const [place, message] of mappingErrors(rows))
      context.addIssue({ code: 'custom', path: [place], message });
  })
  .meta({ id: 'Mapping' }) as z.ZodType<Mapping, Mapping>;
