import { z } from 'zod';
import { fieldKinds } from '../../domain/score/settings/field-kinds.ts';
import {
  normalCountry,
  normalDomain,
  normalEmail,
  normalGlob,
} from '../../domain/score/settings/list-entries.ts';
import { defaultScoringSettings, presets, riskFamilies } from '../../domain/score/settings/settings.ts';
import { exactText, lineToFind, strict } from '../shape.ts';

const pointsMax = 100;
const scaleMax = 2;
const codesMax = 200;
const honeypotsMax = 20;
const minMsMax = 600_000;
const expectationsMax = 250;
// Every instance keeps the lists of all forms in memory.
const addressesMax = 1_000;
const keywordsMax = 200;
const keywordStarsMax = 4;
const mappedFieldsMax = 200;

const fieldKind = z.enum(fieldKinds);

const points = z.int().min(-pointsMax).max(pointsMax);
const threshold = z.int().min(1).max(100);
const fieldKey = exactText(200);

/** A list of texts in a normal form, without duplicates. */
function entries(
  normal: (text: string) => string | null,
  charactersMax: number,
  listMax: number,
  rule: string,
) {
  const entry = z
    .string()
    .max(charactersMax)
    .overwrite((text) => normal(text) ?? text)
    .refine((text) => normal(text) !== null, rule);
  return listOf(entry, listMax);
}

function listOf(entry: z.ZodType<string, string>, listMax: number) {
  return z
    .array(entry)
    .max(listMax)
    .overwrite((list) => [...new Set(list)])
    .default([]);
}

function recordOf<Value extends z.ZodType>(key: z.ZodType<string, string>, value: Value, entriesMax: number) {
  return z
    .record(key, value)
    .refine((record) => Object.keys(record).length <= entriesMax, `must have at most ${entriesMax} entries`)
    .default({});
}

const emails = entries(normalEmail, 320, addressesMax, 'use an email address such as ada@example.com');
const domains = entries(normalDomain, 260, addressesMax, 'use only a domain such as example.com, without *');

const keyword = strict({
  text: exactText(100)
    .overwrite(normalGlob)
    .refine((text) => text.replace(/[*\s]/g, '').length >= 2, 'needs at least two characters besides *')
    .refine((text) => text.split('*').length <= keywordStarsMax + 1, `use at most ${keywordStarsMax} stars`)
    .describe('Plain text, matched anywhere and ignoring case; `*` matches any characters.'),
  points,
});

const keywords = z
  .array(keyword)
  .max(keywordsMax)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [place, { text }] of list.entries()) {
      const spelling = text.toLowerCase();
      if (seen.has(spelling))
        context.addIssue({ code: 'custom', path: [place, 'text'], message: 'occurs twice' });
      seen.add(spelling);
    }
  })
  .default([]);

const family = strict({
  cap: z.int().min(0).max(100).exactOptional().describe('The maximum total of the rules of this family.'),
  scale: z.number().min(0).max(scaleMax).exactOptional().describe('A factor for the points of its rules.'),
});

/** Settings are always sent as a whole; parts that are left out get their defaults. */
export const scoringDraft = strict({
  preset: z.enum(presets).default(defaultScoringSettings.preset),
  thresholds: strict({
    suspect: threshold.describe('The minimum risk of a suspect lead.'),
    spam: threshold.describe('The minimum risk of spam.'),
  })
    .refine(({ suspect, spam }) => suspect < spam, { path: ['suspect'], message: 'must be less than spam' })
    .default(defaultScoringSettings.thresholds),
  weights: recordOf(z.string(), points, codesMax).describe(
    'Points by rule code, instead of the default points.',
  ),
  families: strict(
    Object.fromEntries(riskFamilies.map((name) => [name, family.exactOptional()])) as Families,
  ).default({}),
  disabled: listOf(z.string(), codesMax).describe('Codes of rules that are turned off.'),
  honeypot: listOf(fieldKey, honeypotsMax).describe('Fields that people cannot see; only bots fill them in.'),
  timing: strict({
    rendered_at_field: fieldKey.describe('The field with the time at which the form was shown.'),
    min_ms: z
      .int()
      .min(0)
      .max(minMsMax)
      .describe('The shortest time in which a person can fill in the form.'),
  })
    .nullable()
    .default(null),
  expect: strict({
    countries: entries(normalCountry, 60, expectationsMax, 'use a two-letter country code such as DE'),
    titles: listOf(lineToFind(100), expectationsMax),
  }).prefault({}),
  allow: strict({ emails, domains }).prefault({}),
  block: strict({ emails, domains, keywords }).prefault({}),
  field_map: recordOf(fieldKey, fieldKind, mappedFieldsMax).describe('What each field contains, by its key.'),
  learning: strict({
    enabled: z.boolean().describe('Whether marks on the leads of the form shift the risk of similar ones.'),
  }).default(defaultScoringSettings.learning),
}).superRefine(({ allow, block }, context) => {
  for (const list of ['emails', 'domains'] as const) {
    const allowed = new Set(allow[list]);
    for (const [place, entry] of block[list].entries()) {
      if (!allowed.has(entry)) continue;
      context.addIssue({
        code: 'custom',
        path: ['block', list, place],
        message: 'is also on the allow list',
      });
    }
  }
});

type Families = Record<(typeof riskFamilies)[number], z.ZodExactOptional<typeof family>>;

export const scoringSettings = scoringDraft.meta({ id: 'ScoringSettings' });
export type ScoringSettingsJson = z.output<typeof scoringDraft>;
