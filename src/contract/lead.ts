import { z } from 'zod';
import type { Rule } from '../domain/score/rules.ts';
import type { Grade, Verdict } from '../domain/score/score.ts';
import { surfaces } from '../domain/surface.ts';
import { pageOf, pageQuery } from './paging.ts';
import { exactText, id, time, timeInput } from './shape.ts';

const fieldPrefix = 'field.';
const fieldFiltersMax = 20;

// domain/score needs Node packages, and this folder is shared with the browser.
const verdict = z.enum({ clean: 'clean', suspect: 'suspect', spam: 'spam' } satisfies { [V in Verdict]: V });
const grade = z.enum({ A: 'A', B: 'B', C: 'C', D: 'D', E: 'E' } satisfies { [G in Grade]: G });
const surface = z.enum(surfaces);

const reason = z
  .object({
    code: z.string(),
    family: z.string().optional(),
    axis: z.enum({ risk: 'risk', score: 'score' } satisfies { [A in Rule['axis']]: A }).optional(),
    points: z.number(),
    field: z.string().optional(),
    text: z.string(),
    evidence: z.string().optional().describe('What was found, shortened.'),
  })
  .meta({ id: 'ScoreReason' });

export const lead = z
  .object({
    submission_id: id,
    form_id: id,
    surface,
    received_at: time,
    fields: z.record(z.string(), z.unknown()),
    score: z.int(),
    grade,
    risk: z.int(),
    verdict,
    reasons: z
      .array(reason)
      .describe('Why the risk is what it is. Their points add up to it, before it is kept within 0 and 100.'),
    fit: z.int().describe('How well the sender fits, 0 to 100.'),
    intent: z.int().describe('How much the sender wants, 0 to 100.'),
    merits: z.array(reason).describe('What fit and intent are made of. Empty for spam.'),
    enrichment: z.looseObject({ enriched_at: time }).nullable(),
  })
  .meta({ id: 'Lead' });
export const leadPage = pageOf(lead).meta({ id: 'LeadPage' });

const filters = {
  form_id: id.optional(),
  verdict: verdict.optional(),
  surface: surface.optional(),
  from: timeInput.optional().describe('Received at this time or later.'),
  to: timeInput.optional().describe('Received before this time.'),
  q: exactText(200).optional().describe('Text that the value of any field contains, in upper or lower case.'),
};

export const leadListQuery = withFieldFilters({ ...filters, ...pageQuery });
export const leadExportQuery = withFieldFilters({
  ...filters,
  format: z.enum(['csv', 'ndjson']).default('csv'),
});

export type Lead = z.output<typeof lead>;
export type LeadFilters = z.output<z.ZodObject<typeof filters>> & {
  readonly fieldValues: ReadonlyMap<string, string>;
};

/** Adds `field.<key>=value`. The keys are the sender's, so they cannot be listed in the shape. */
function withFieldFilters<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = [...Object.keys(shape), `${fieldPrefix}<key>`].join(', ');
  return z
    .object(shape)
    .catchall(exactText(1000, 0))
    .superRefine((query, context) => {
      const others = Object.keys(query).filter((name) => !Object.hasOwn(shape, name));
      for (const name of others.filter((name) => !isFieldFilter(name))) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `unknown filter; known filters: ${known}`,
        });
      }
      if (others.length > fieldFiltersMax) {
        const message = `use at most ${fieldFiltersMax} filters of this kind`;
        context.addIssue({ code: 'custom', path: [`${fieldPrefix}<key>`], message });
      }
    })
    .transform((query) => ({
      ...(query as z.output<z.ZodObject<Shape>>),
      fieldValues: fieldValuesOf(query),
    }));
}

function isFieldFilter(name: string): boolean {
  return name.startsWith(fieldPrefix) && !name.includes('\0');
}

function fieldValuesOf(query: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const given = Object.entries(query).filter(([name]) => isFieldFilter(name));
  return new Map(given.map(([name, value]) => [name.slice(fieldPrefix.length), String(value)]));
}
