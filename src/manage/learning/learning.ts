import type { FormLearning } from '../../contract/scoring/learning.ts';
import * as contract from '../../contract/scoring/learning.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  type FormLearningRecord,
  findFormLearning,
  forgetLearning,
  lockModel,
} from '../../db/forms/form-learning.ts';
import { leadsOfEachMin, leadsOfOneMin } from '../../domain/score/learning/learn.ts';
import type { LearnedModel } from '../../domain/score/learning/learned-model.ts';
import { type RuleCode, ruleOf } from '../../domain/score/rules.ts';
import { effectivePoints } from '../../domain/score/settings/effective-points.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import { nameOf } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { route } from '../calls/route.ts';
import { requireForm } from '../forms/form-changes.ts';
import { requireFormScoring } from '../scoring/scoring-changes.ts';

export const learningRoutes = [
  route(contract.readLearning, async ({ params: { workspace_id, form_id } }, { pool }) => {
    const { settings } = await requireFormScoring(pool, workspace_id, form_id);
    return viewLearning(await findFormLearning(pool, workspace_id, form_id), settings);
  }),
  route(contract.forgetLearning, ({ params: { workspace_id, form_id }, principal }, deps) =>
    changeDirectory(deps, async (client) => {
      await requireForm(client, workspace_id, form_id);
      const { settings } = await requireFormScoring(client, workspace_id, form_id);
      // In the order in which learning takes both, so that neither waits for the other.
      await lockModel(client, form_id);
      const when = { at: new Date(deps.clock.now()), by: nameOf(principal) };
      const revision = await nextDirectoryRevision(client);
      return viewLearning(await forgetLearning(client, workspace_id, form_id, when, revision), settings);
    }),
  ),
];

function viewLearning(record: FormLearningRecord | null, settings: ScoringSettings): FormLearning {
  const { enabled } = settings.learning;
  const model = record?.model ?? null;
  return {
    enabled,
    state: !enabled ? 'off' : model === null ? 'collecting' : 'learned',
    number: model === null ? null : (record?.number ?? null),
    leads: { spam: record?.spamLeads ?? 0, not_spam: record?.wantedLeads ?? 0 },
    needed: { of_each: leadsOfEachMin, of_one: leadsOfOneMin },
    people: record?.people ?? 0,
    since: record?.since?.toISOString() ?? null,
    learned_at: record?.learnedAt?.toISOString() ?? null,
    forgotten_at: record?.forgottenAt?.toISOString() ?? null,
    forgotten_by: record?.forgottenBy ?? null,
    points: { spam: pointsOf('LEARNED_SPAM', settings), not_spam: pointsOf('LEARNED_WANTED', settings) },
    words: wordsIn(model),
    domains: (model?.domains ?? []).map(({ domain, kind, weight }) => ({
      domain,
      kind,
      mark: weight > 0 ? 'spam' : 'not_spam',
    })),
  };
}

function pointsOf(code: RuleCode, settings: ScoringSettings): number {
  const rule = ruleOf(code);
  return rule === null ? 0 : effectivePoints(rule, settings);
}

function wordsIn(model: LearnedModel | null): FormLearning['words'] {
  const weights = (model?.words ?? []).filter((_, place) => place % 2 === 1);
  const spam = weights.filter((weight) => weight > 0).length;
  return { spam, not_spam: weights.length - spam };
}
