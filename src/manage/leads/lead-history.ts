import type { LeadEvent, LeadHistory } from '../../contract/leads/history.ts';
import * as contract from '../../contract/leads.ts';
import { listResults } from '../../db/enrichment/enrichment-results.ts';
import { findRecovery } from '../../db/held/lead-recoveries.ts';
import { listMarks } from '../../db/leads/lead-marks.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { findSecondLook, type SecondLook } from '../../db/leads/lead-second-looks.ts';
import { findArrival, findLead } from '../../db/leads/leads.ts';
import type { Queryable } from '../../db/pool.ts';
import { listAuditOfLead } from '../../db/workspaces/audit-log.ts';
import type { Role } from '../../domain/role.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

const marksMax = 100;
const callsMax = 100;
// Marks already have their own events.
const markAction = 'markALeadAsSpamOrNotSpam';

export const leadHistoryRoutes = [
  route(contract.readLeadHistory, ({ params, role }, { pool }) =>
    readHistory(pool, params.workspace_id, params.submission_id, role),
  ),
];

async function readHistory(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
  role: Role | null,
): Promise<LeadHistory> {
  const lead = await findLead(db, workspaceId, submissionId);
  if (lead === null) throw notFound('lead');
  const look = await findSecondLook(db, workspaceId, submissionId);
  const marks = await listMarks(db, workspaceId, submissionId, { before: null, limit: marksMax + 1 });
  const oldestFirst = [
    ...(await arrival(db, workspaceId, lead, look)),
    ...(await admission(db, workspaceId, lead)),
    ...(await lookups(db, workspaceId, submissionId)),
    ...reviews(look),
    ...enrichment(lead),
    ...marks
      .slice(0, marksMax)
      .toReversed()
      .map(
        ({ mark, markedAt, markedBy }): LeadEvent => ({
          kind: 'marked',
          at: textOf(markedAt),
          by: markedBy,
          mark,
        }),
      ),
    ...(role === 'owner' ? await calls(db, workspaceId, submissionId) : []),
  ];
  // Sorting keeps the order of simultaneous events.
  const items = oldestFirst.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).toReversed();
  return { items, has_older_marks: marks.length > marksMax };
}

/** As scored on arrival, even if a second look changed it. */
async function arrival(
  db: Queryable,
  workspaceId: string,
  lead: LeadRecord,
  look: SecondLook | null,
): Promise<LeadEvent[]> {
  const at = textOf(lead.receivedAt);
  const token = await findArrival(db, workspaceId, lead.submissionId);
  const { surface, score, grade, risk, ruleset } = lead;
  const now = { verdict: lead.scoredVerdict ?? lead.verdict, score, grade, risk };
  return [
    { kind: 'received', at, surface, token },
    { kind: 'scored', at, ...(look?.before ?? now), ruleset },
  ];
}

/** Of a lead that was rejected first. */
async function admission(
  db: Queryable,
  workspaceId: string,
  { submissionId, receivedAt }: LeadRecord,
): Promise<LeadEvent[]> {
  const recovery = await findRecovery(db, workspaceId, submissionId);
  if (recovery === null) return [];
  const { reason, admittedAt, admittedBy } = recovery;
  const received_at = textOf(receivedAt);
  return [{ kind: 'admitted', at: textOf(admittedAt), by: admittedBy, reason, received_at }];
}

function reviews(look: SecondLook | null): LeadEvent[] {
  if (look === null) return [];
  const { lookedAt, provider, before, after, ruleset } = look;
  return [{ kind: 'looked_again', at: textOf(lookedAt), provider, before, ...after, ruleset }];
}

async function lookups(db: Queryable, workspaceId: string, submissionId: string): Promise<LeadEvent[]> {
  return (await listResults(db, workspaceId, submissionId)).map((result) => ({
    kind: 'asked',
    at: textOf(result.observedAt),
    provider: result.provider,
    outcome: result.outcome,
    why: result.why,
    attempts: result.attempts,
    ms: result.durationMs,
    cached: result.cached,
  }));
}

function enrichment({ enrichedAt, enrichment }: LeadRecord): LeadEvent[] {
  if (enrichedAt === null || enrichment === null) return [];
  return [{ kind: 'enriched', at: textOf(enrichedAt), status: enrichment.status }];
}

async function calls(db: Queryable, workspaceId: string, submissionId: string): Promise<LeadEvent[]> {
  const entries = await listAuditOfLead(db, workspaceId, submissionId, callsMax);
  return entries
    .filter(({ action, completed }) => action !== markAction || !completed)
    .map(({ at, actorName, action, changes, completed }) => ({
      kind: 'called',
      at: textOf(at),
      by: actorName,
      action,
      changes,
      outcome: completed ? 'done' : 'unknown',
    }));
}

function textOf(at: Date): string {
  return at.toISOString();
}
