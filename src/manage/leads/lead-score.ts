import type { LeadScore } from '../../contract/leads/score.ts';
import * as contract from '../../contract/leads.ts';
import { listScoringVersions } from '../../db/forms/form-scoring.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { findLead } from '../../db/leads/leads.ts';
import type { Queryable } from '../../db/pool.ts';
import { explainScore } from '../../domain/score/explain.ts';
import { defaultScoringSettings, type ScoringSettings } from '../../domain/score/settings/settings.ts';
import { fitShare, intentShare, riskDivisor } from '../../domain/score/verdict.ts';
import { pageBytesMax } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const leadScoreRoutes = [
  route(contract.explainLeadScore, async ({ params }, { pool }) => {
    const lead = await findLead(pool, params.workspace_id, params.submission_id);
    if (lead === null) throw notFound('lead');
    return viewScore(lead, await settingsOf(pool, params.workspace_id, lead));
  }),
];

function viewScore(lead: LeadRecord, settings: ScoringSettings): LeadScore {
  const { score, grade, risk, reasons, ruleset } = lead;
  const verdict = lead.scoredVerdict ?? lead.verdict;
  const explained = explainScore({ score, risk, verdict, reasons }, settings);
  return {
    score,
    grade,
    verdict,
    ruleset,
    fit: { share: fitShare, ...viewPart(explained.fit) },
    intent: { share: intentShare, ...viewPart(explained.intent) },
    risk: { divisor: riskDivisor, ...viewPart(explained.risk) },
    without_risk: explained.withoutRisk,
    missing: [...explained.missing],
  };
}

function viewPart({ total, sum, adds, reasons }: ReturnType<typeof explainScore>['fit']) {
  return { total, sum, adds, reasons: [...reasons] };
}

/** The settings that scored the lead, which its ruleset names. Versions are never deleted. */
async function settingsOf(
  db: Queryable,
  workspaceId: string,
  { formId, ruleset }: LeadRecord,
): Promise<ScoringSettings> {
  const version = Number(/\+form\.(\d{1,9})(?:\+|$)/.exec(ruleset)?.[1] ?? 0);
  if (version === 0) return defaultScoringSettings;
  const request = { only: version, before: null, limit: 1, bytesMax: pageBytesMax };
  const { rows } = await listScoringVersions(db, workspaceId, formId, request);
  return rows[0]?.settings ?? defaultScoringSettings;
}
