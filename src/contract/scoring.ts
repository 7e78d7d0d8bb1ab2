import { z } from 'zod';
import type { Verdict } from '../domain/score/score.ts';
import { call, json, page } from './call.ts';
import { scoringDraft, scoringSettings } from './scoring/settings.ts';
import { id, pageOf, pageQuery, strict, time } from './shape.ts';

const rescoredMax = 1_000;
const rescoredDefault = 200;
export const examplesMax = 20;

// domain/score needs Node packages, and this folder is shared with the browser.
export const verdict = z.enum({ clean: 'clean', suspect: 'suspect', spam: 'spam' } satisfies {
  [V in Verdict]: V;
});
const axis = z
  .enum(['risk', 'score'])
  .describe('What the points count towards: the risk, or the score of a good lead.');
export const scoreReason = z
  .object({
    code: z.string(),
    family: z.string().optional(),
    axis: axis.optional(),
    points: z.number(),
    field: z.string().optional(),
    text: z.string(),
    evidence: z.string().optional().describe('A shortened excerpt of what was found; never a whole value.'),
  })
  .meta({ id: 'ScoreReason' });

// The largest integer in PostgreSQL.
const versionMax = 2 ** 31 - 1;
const version = z.int().min(0).max(versionMax);
const by = z.string().describe('Who did it: an email address, or `operator`.');

const formScoring = z
  .object({
    version: version.describe('0 if nobody has changed the settings: the defaults apply.'),
    settings: scoringSettings,
    updated_at: time.nullable(),
    updated_by: by.nullable(),
  })
  .meta({ id: 'FormScoring' });

const scoringChange = strict({
  settings: scoringDraft.describe('All settings. Those left out get their defaults.'),
  expected_version: version
    .optional()
    .describe(
      'The version that you read before the change. If it is no longer the newest, nothing is saved.',
    ),
}).meta({ id: 'ScoringChange' });

const scoringVersion = z
  .object({ version, settings: scoringSettings, created_at: time, created_by: by })
  .meta({ id: 'ScoringVersion' });
const scoringVersionPage = pageOf(scoringVersion).meta({ id: 'ScoringVersionPage' });
const scoringVersionQuery = strict({
  version: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(versionMax)
    .optional()
    .describe('Only this version.'),
  ...pageQuery,
});

export const dryRunRequest = strict({
  settings: scoringDraft,
  limit: z.int().min(1).max(rescoredMax).default(rescoredDefault).describe('How many leads to score again.'),
}).meta({ id: 'DryRunRequest' });

const judgement = z.object({ verdict, risk: z.int(), score: z.int(), reasons: z.array(scoreReason) });
const movedFinding = z
  .object({
    code: z.string(),
    axis,
    text: z.string(),
    from: z.number().nullable().describe('Its points under the current settings; null if it is not found.'),
    to: z.number().nullable().describe('Its points under the draft; null if it is not found.'),
  })
  .meta({ id: 'MovedFinding' });

const dryRun = z
  .object({
    leads: z.int().describe('How many of the newest leads of the form were scored again.'),
    changed: z.int().describe('How many of them would get a different verdict.'),
    shifted: z.int().describe('How many keep their verdict and would get a different risk or score.'),
    by_change: z.array(z.object({ from: verdict, to: verdict, count: z.int() })),
    examples: z
      .array(
        z.object({
          submission_id: id,
          received_at: time,
          from: judgement,
          to: judgement,
          moved: z
            .array(movedFinding)
            .describe(
              'The findings whose points differ, the largest difference first. Empty if only a threshold moved.',
            ),
        }),
      )
      .max(examplesMax)
      .describe('First the newest leads whose verdict would change, then the newest of the shifted ones.'),
  })
  .meta({ id: 'DryRun' });

const scoringRule = z.object({
  code: z.string(),
  family: z.string(),
  axis,
  points: z.int().describe('The default points of the rule.'),
  effective_points: z.int().describe("The points under the form's settings, before the cap of the family."),
  disabled: z.boolean(),
  description: z.string(),
});
const scoringRules = z.object({ items: z.array(scoringRule) }).meta({ id: 'ScoringRules' });

export type FormScoring = z.output<typeof formScoring>;
export type ScoringVersion = z.output<typeof scoringVersion>;
export type ScoringChange = z.output<typeof scoringChange>;
export type DryRunRequest = z.output<typeof dryRunRequest>;
export type DryRun = z.output<typeof dryRun>;
export type ScoringRule = z.output<typeof scoringRule>;

export const readScoring = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring',
  tag: 'Scoring',
  summary: "Read a form's scoring settings",
  description: 'A form whose settings nobody has changed has the defaults, as version 0.',
  access: { by: 'member', scope: 'forms:read' },
  answer: json(200, formScoring),
});

export const setScoring = call({
  method: 'put',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring',
  tag: 'Scoring',
  summary: "Set a form's scoring settings",
  description: [
    'Replaces all settings and creates a new version; settings that you leave out get their defaults. New leads are scored',
    'with it; stored leads keep their score. With `expected_version`, nothing is saved if someone else saved first. Try a',
    'draft with the dry run first.',
  ].join(' '),
  access: { by: 'owner', scope: 'forms:write' },
  body: scoringChange,
  answer: json(200, formScoring),
  problems: ['version_conflict'],
});

export const listScoringVersions = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring/versions',
  tag: 'Scoring',
  summary: "List the versions of a form's scoring settings",
  description: 'Newest first. The ruleset of a lead scored with version 7 contains `+form.7`.',
  access: { by: 'member', scope: 'forms:read' },
  expensive: 'call',
  query: scoringVersionQuery,
  answer: page(scoringVersionPage),
});

export const listScoringRules = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring/rules',
  tag: 'Scoring',
  summary: 'List the scoring rules',
  description: "Every rule that you can reweight or disable, with its points under the form's settings.",
  access: { by: 'member', scope: 'forms:read' },
  answer: json(200, scoringRules),
});

export const dryRunScoring = call({
  method: 'post',
  path: '/workspaces/:workspace_id/forms/:form_id/scoring/dry-run',
  tag: 'Scoring',
  summary: 'Try scoring settings on stored leads',
  description: [
    'Scores the newest leads of the form with the current settings and with the draft, and shows which verdicts and scores',
    'differ, and which findings moved them.',
    'Nothing is saved. Both scores use the fields, what the form has learned from marks, and what a second look found. They',
    'ignore what was known only when a lead arrived, such as duplicates, and the marks of the leads themselves.',
  ].join(' '),
  access: { by: 'owner', scope: ['forms:write', 'leads:read'] },
  audit: 'reads',
  expensive: 'call',
  body: dryRunRequest,
  answer: json(200, dryRun),
});
