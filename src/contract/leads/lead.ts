import { z } from 'zod';
import { marks } from '../../domain/lead/mark.ts';
import type { Grade } from '../../domain/score/score.ts';
import { surfaces } from '../../domain/surface.ts';
import { enrichment } from '../enrichment.ts';
import { scoreReason, verdict } from '../scoring.ts';
import { exactText, id, pageOf, pageQuery, strict, time, timeInput } from '../shape.ts';
import { exportColumns } from './export-columns.ts';
import { preparing, sorting, where } from './list-options.ts';

const fieldPrefix = 'field.';
const fieldFiltersMax = 20;

// domain/score needs Node packages, and this folder is shared with the browser.
export const grade = z.enum({ A: 'A', B: 'B', C: 'C', D: 'D', E: 'E' } satisfies { [G in Grade]: G });
export const surface = z.enum(surfaces);

export const mark = z.enum(marks);
const markedAt = { at: time, by: z.string().describe('Who marked it: an email address, or `operator`.') };

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
    verdict: verdict.describe("The mark if there is one, otherwise the scorer's verdict."),
    scored_verdict: verdict.describe("The scorer's latest verdict, regardless of the mark."),
    mark: z.object({ mark, ...markedAt }).nullable(),
    reasons: z
      .array(scoreReason)
      .describe('What the risk is made of. The points add up to it before it is limited to 0–100.'),
    fit: z.int().describe('How well the sender fits, 0 to 100.'),
    intent: z.int().describe('How interested the sender is, 0 to 100.'),
    merits: z.array(scoreReason).describe('What fit and intent are made of. Empty for spam.'),
    ruleset: z
      .string()
      .describe(
        'The rules that scored it; `+form.7` names a version of the scoring settings, `+learned.3` what the form had learned from marks.',
      ),
    second_look: z
      .object({
        at: time,
        provider: z.string().describe('What was checked: `mx`, its mail server.'),
        verdict_before: verdict,
        risk_before: z.int(),
      })
      .nullable()
      .describe('Set if the lead was scored again after it arrived; see its history.'),
    email_suggestion: z
      .string()
      .nullable()
      .describe('The address that was probably meant, if its domain looks like a misspelt large provider.'),
    enrichment: enrichment.nullable().describe('Null until the lead is enriched; only clean leads are.'),
  })
  .meta({ id: 'Lead' });

const { code, points } = scoreReason.shape;
const listedReasons = z.array(z.object({ code, points }));
const listedEnrichment = z.object({ status: enrichment.shape.status });

/** What a list says of a lead unless it is asked for all: the parts that are long are cut down to what a table needs. */
const leadListed = lead
  .extend({
    reasons: listedReasons.describe('What the risk is made of, without the texts.'),
    merits: listedReasons.describe('What fit and intent are made of, without the texts. Empty for spam.'),
    enrichment: listedEnrichment
      .nullable()
      .describe('How far the enrichment is. Null until the lead is enriched; only clean leads are.'),
  })
  .meta({ id: 'LeadListed' });

// A whole lead would also pass for a listed one, so it comes first.
export const leadPage = pageOf(z.union([lead, leadListed]))
  .extend({
    searched_to: time
      .nullable()
      .describe(
        'A slow search returns what it has found so far, possibly nothing: leads received before this time have not been searched, and `next_cursor` continues there. If the list is not sorted by time, it is the time of the last lead that was searched. Null otherwise.',
      ),
    preparing,
  })
  .meta({ id: 'LeadPage' });

export const leadMark = strict({
  mark: mark.nullable().describe('Null removes the mark.'),
}).meta({ id: 'LeadMark' });
export const leadMarkQuery = strict(pageQuery);
export const leadMarkPage = pageOf(z.object({ mark: mark.nullable(), ...markedAt })).meta({
  id: 'LeadMarkPage',
});

const filters = {
  form_id: id.optional().describe('Leads of this form only.'),
  verdict: verdict
    .optional()
    .describe("Leads with this verdict: the mark if there is one, otherwise the scorer's."),
  mark: z
    .enum([...marks, 'none'])
    .optional()
    .describe('Leads with this mark; `none` for unmarked leads.'),
  surface: surface.optional().describe('Leads from this surface: token or webhook.'),
  from: timeInput.optional().describe('Received at this time or later.'),
  to: timeInput.optional().describe('Received before this time.'),
  q: exactText(200).optional().describe('Leads with a field value that contains this text, ignoring case.'),
  where: where.optional(),
};

const fieldValue = exactText(1000, 0).meta({
  title: `${fieldPrefix}<key>`,
  description: [
    `Leads whose top-level field \`<key>\` has exactly this value: \`${fieldPrefix}company=Analytical Engines\`.`,
    `The key is the one that the sender used. Use up to ${fieldFiltersMax}, each as a separate query parameter; all must match.`,
  ].join(' '),
});

const view = z
  .enum(['list', 'full'])
  .default('list')
  .describe(
    '`list`: of `reasons` and `merits` only code and points, and of `enrichment` only the status. `full`: whole leads, as one lead is read.',
  );

/** The filters alone. */
export const leadFilterQuery = withFieldFilters(filters);
export const leadListQuery = withFieldFilters({ ...filters, ...sorting, ...pageQuery, view });

/** The formats of an export, with their content types. */
export const exportTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type ExportFormat = keyof typeof exportTypes;
export const exportFormat = z
  .enum(Object.keys(exportTypes) as [ExportFormat, ...ExportFormat[]])
  .default('csv')
  .describe('A table, one JSON object per line, or an Excel workbook.');

export const leadExportQuery = withFieldFilters({
  ...filters,
  ...sorting,
  format: exportFormat,
  columns: exportColumns.optional(),
});

export type Lead = z.output<typeof lead>;
/** Every `Lead` is one too. */
export type LeadListed = z.output<typeof leadListed>;
export type LeadFilters = z.output<z.ZodObject<typeof filters>> & {
  readonly fieldValues: ReadonlyMap<string, string>;
};

export type LeadListInput = z.input<typeof leadListQuery>;
/** The filters of a list or an export, as sent. */
export type LeadFilterInput = z.input<z.ZodObject<typeof filters>> & FieldFilters;

type FieldFilters = { readonly [Name in `${typeof fieldPrefix}${string}`]?: string | undefined };
type FilterOutput<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> & {
  readonly fieldValues: ReadonlyMap<string, string>;
};

/** Adds `field.<key>=value`. Senders choose the keys, so the shape cannot list them. */
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
  return name.startsWith(fieldPrefix) && !name.includes('\0') && name.isWellFormed();
}

function fieldValuesOf(query: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const given = Object.entries(query).filter(([name]) => isFieldFilter(name));
  return new Map(given.map(([name, value]) => [name.slice(fieldPrefix.length), String(value)]));
}
