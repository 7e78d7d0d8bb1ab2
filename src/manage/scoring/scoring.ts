import {
  dryRun,
  dryRunRequest,
  formScoring,
  scoringChange,
  scoringRules,
  scoringVersionPage,
  scoringVersionQuery,
} from '../../contract/scoring.ts';
import { listScoringVersions } from '../../db/forms/form-scoring.ts';
import { rules } from '../../domain/score/rules.ts';
import { isAdjustable } from '../../domain/score/settings/effective-points.ts';
import { nameOf } from '../calls/access.ts';
import { pageOfNumbered } from '../calls/page.ts';
import { json, jsonPage, route } from '../calls/route.ts';
import { dryRunScoring } from './dry-run.ts';
import { requireFormScoring, saveScoring } from './scoring-changes.ts';
import { viewFormScoring, viewRule, viewScoringVersion } from './scoring-view.ts';

const tag = 'Scoring';
const path = '/workspaces/:workspace_id/forms/:form_id/scoring';

export const scoringRoutes = [
  route({
    method: 'get',
    path,
    tag,
    summary: "Read a form's scoring settings",
    description: 'A form whose settings nobody has set has the defaults, as version 0.',
    access: 'member',
    answer: json(200, formScoring),
    async handle({ params }, { pool }) {
      return viewFormScoring(await requireFormScoring(pool, params.workspace_id, params.form_id));
    },
  }),
  route({
    method: 'put',
    path,
    tag,
    summary: "Set a form's scoring settings",
    description: [
      'Replaces all of the settings and makes a new version; what is left out gets its default. Leads that arrive from now',
      'on are scored with it, those stored keep their score. With `expected_version` nothing is saved when somebody else',
      'was faster. Try a draft first: see the dry run.',
    ].join(' '),
    access: 'owner',
    body: scoringChange,
    answer: json(200, formScoring),
    problems: ['version_conflict'],
    async handle({ params, body, principal }, deps) {
      const by = nameOf(principal);
      return viewFormScoring(await saveScoring(deps, params.workspace_id, params.form_id, body, by));
    },
  }),
  route({
    method: 'get',
    path: `${path}/versions`,
    tag,
    summary: "List the versions of a form's scoring settings",
    description: 'Newest first. The ruleset of a lead that was scored with version 7 ends in `+form.7`.',
    access: 'member',
    heavy: 'call',
    query: scoringVersionQuery,
    answer: jsonPage(scoringVersionPage),
    async handle({ params, query }, { pool }) {
      await requireFormScoring(pool, params.workspace_id, params.form_id);
      return pageOfNumbered(query, {
        fetch: ({ after, limit, bytesMax }) =>
          listScoringVersions(pool, params.workspace_id, params.form_id, {
            only: query.version,
            before: after,
            limit,
            bytesMax,
          }),
        position: ({ version }) => version,
        view: viewScoringVersion,
      });
    },
  }),
  route({
    method: 'get',
    path: `${path}/rules`,
    tag,
    summary: 'List the scoring rules',
    description:
      "Every rule whose points can be set or that can be disabled, with its points under the form's settings.",
    access: 'member',
    answer: json(200, scoringRules),
    async handle({ params }, { pool }) {
      const { settings } = await requireFormScoring(pool, params.workspace_id, params.form_id);
      return { items: rules.filter(isAdjustable).map((rule) => viewRule(rule, settings)) };
    },
  }),
  route({
    method: 'post',
    path: `${path}/dry-run`,
    tag,
    summary: 'Try scoring settings on stored leads',
    description: [
      'Scores the newest leads of the form with the settings in force and with the draft, and says whose verdict differs.',
      'Nothing is saved. Both scores are made now, from the fields alone: what was known only when a lead arrived, such as',
      'repeats, counts in neither, and marks are left aside.',
    ].join(' '),
    access: 'owner',
    audit: 'reads',
    heavy: 'call',
    body: dryRunRequest,
    answer: json(200, dryRun),
    handle: ({ params, body, ended }, deps) =>
      dryRunScoring(deps, params.workspace_id, params.form_id, body, () => ended?.aborted === true),
  }),
];
