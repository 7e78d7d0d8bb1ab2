import * as contract from '../../contract/scoring.ts';
import { listScoringVersions } from '../../db/forms/form-scoring.ts';
import { rules } from '../../domain/score/rules.ts';
import { isAdjustable } from '../../domain/score/settings/effective-points.ts';
import { nameOf } from '../calls/access.ts';
import { pageOfNumbered } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import { dryRunScoring } from './dry-run.ts';
import { requireFormScoring, saveScoring } from './scoring-changes.ts';
import { viewFormScoring, viewRule, viewScoringVersion } from './scoring-view.ts';

export const scoringRoutes = [
  route(contract.readScoring, async ({ params }, { pool }) => {
    return viewFormScoring(await requireFormScoring(pool, params.workspace_id, params.form_id));
  }),
  route(contract.setScoring, async ({ params, body, principal }, deps) => {
    const by = nameOf(principal);
    return viewFormScoring(await saveScoring(deps, params.workspace_id, params.form_id, body, by));
  }),
  route(contract.listScoringVersions, async ({ params, query }, { pool }) => {
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
  }),
  route(contract.listScoringRules, async ({ params }, { pool }) => {
    const { settings } = await requireFormScoring(pool, params.workspace_id, params.form_id);
    return { items: rules.filter(isAdjustable).map((rule) => viewRule(rule, settings)) };
  }),
  route(contract.dryRunScoring, ({ params, body, ended }, deps) =>
    dryRunScoring(deps, params.workspace_id, params.form_id, body, () => ended?.aborted === true),
  ),
];
