import { z } from 'zod';
import { marks } from '../../domain/lead/mark.ts';
import type { Grade } from '../../domain/score/score.ts';
import { surfaces } from '../../domain/surface.ts';
import { enrichment } from '../enrichment.ts';
import { scoreReason, verdict } from '../scoring.ts';
import { exactText, id, pageOf, pageQuery, strict, time, timeInput } from '../shape.ts';

const fieldPrefix = 'field.';
const fieldFiltersMax = 20;

// domain/score needs Node packages, and this folder is shared with the browser.
export const grade = z.enum({ A: 'A', B: 'B', C: 'C', D: 'D', E: 'E' } satisfies { [G in Grade]: G });
export const surface = z.enum(surfaces);

export const mark = z.enum(marks);
const markedAt = { at: time, by: z.string().describe('Who marked it: `operator`.') };

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
    verdict: verdict.describe("The owner's mark if there is one, otherwise what the scorer found."),
    scored_verdict: verdict.describe('What the scorer found last, whatever the mark says.'),
    mark: z.object({ mark, ...markedAt }).nullable(),
    reasons: z
      .array(scoreReason)
      .describe('Why the risk is what it is. Their points add up to it, before it is kept within 0 and 100.'),
    fit: z.int().describe('How well the sender fits, 0 to 100.'),
    intent: z.int().describe('How much the sender wants, 0 to 100.'),
    merits: z.array(scoreReason).describe('What fit and intent are made of. Empty for spam.'),
    ruleset: z
      .string()
      .describe('The rules that scored it; `+form.7` names a version of the scoring settings.'),
    second_look: z
      .object({
        at: time,
        provider: z.string().describe('Who was asked: `mx`, its mail server.'),
        verdict_before: verdict,
        risk_before: z.int(),
      })
      .nullable()
      .describe('Set when the verdict was decided anew after the lead came in; its history tells more.'),
    email_suggestion: z
      .string()
      .nullable()
      .describe('The address that was probably meant, when its domain is one slip away from a big provider.'),
    enrichment: enrichment.nullable().describe('Null until the lead is enriched; only clean ones are.'),
  })
  .meta({ id: 'Lead' });
export const leadPage = pageOf(lead)
  .extend({
    searched_to: time
      .nullable()
      .describe(
        'A search that takes long answers what it has found so far, which may be nothing: leads received before this time have not been looked at, and `next_cursor` goes on from there. Null otherwise.',
      ),
  })
  .meta({ id: 'LeadPage' });

export const leadMark = strict({
  mark: mark.nullable().describe('Null takes the mark back.'),
}).meta({ id: 'LeadMark' });
export const leadMarkQuery = strict(pageQuery);
export const leadMarkPage = pageOf(z.object({ mark: mark.nullable(), ...markedAt })).meta({
  id: 'LeadMarkPage',
});

const filters = {
  form_id: id.optional().describe('Leads of this form only.'),
  verdict: verdict
    .optional()
    .describe("Leads with this verdict: the owner's mark if there is one, else the scorer's."),
  mark: z
    .enum([...marks, 'none'])
    .optional()
    .describe('What owners said; `none` keeps the unmarked leads.'),
  surface: surface.optional().describe('Leads that came in on this surface: by server token or by webhook.'),
  from: timeInput.optional().describe('Received at this time or later.'),
  to: timeInput.optional().describe('Received before this time.'),
  q: exactText(200).optional().describe('Text that the value of any field contains, in upper or lower case.'),
};

const fieldValue = exactText(1000, 0).meta({
  title: `${fieldPrefix}<key>`,
  description: [
    `Leads whose top-level field \`<key>\` has exactly this value: \`${fieldPrefix}company=Analytical Engines\`.`,
    `The key is the one that the sender used. Up to ${fieldFiltersMax} of these at once, and all must apply; each is a query parameter of its own.`,
  ].join(' '),
});

export const leadListQuery = withFieldFilters({ ...filters, ...pageQuery });
export const leadExportQuery = withFieldFilters({
  ...filters,
  format: z
    .enum(['csv', 'ndjson'])
    .default('csv')
    .describe('A table for spreadsheets, or one JSON object per line.'),
});

export type Lead = z.output<typeof lead>;
export type LeadFilters = z.output<z.ZodObject<typeof filters>> & {
  readonly fieldValues: ReadonlyMap<string, string>;
};

export type LeadListInput = z.input<typeof leadListQuery>;
/** The filters of a list or an export, as they are sent. */
export type LeadFilterInput = z.input<z.ZodObject<typeof filters>> & FieldFilters;

type FieldFilters = { readonly [Name in `${typeof fieldPrefix}${string}`]?: string | undefined };
type FilterOutput<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> & {
  readonly fieldValues: ReadonlyMap<string, string>;
};

/** Adds `field.<key>=value`. The keys are the sender's, so they cannot be listed in the shape. */
function withFieldFilters<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = [...Object.keys(shape), `${fieldPrefix}<key>`].join(', ');
  return z
    .object(shape)
    .catchall(fieldValue)
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
    })) as z.ZodType<FilterOutput<Shape>, z.input<z.ZodObject<Shape>> & FieldFilters>;
}

function isFieldFilter(name: string): boolean {
  return name.startsWith(fieldPrefix) && !name.includes('\0');
}

function fieldValuesOf(query: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const given = Object.entries(query).filter(([name]) => isFieldFilter(name));
  return new Map(given.map(([name, value]) => [name.slice(fieldPrefix.length), String(value)]));
}
