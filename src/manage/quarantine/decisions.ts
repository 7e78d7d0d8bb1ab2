import type pg from 'pg';
import { isPassing, refusalOf } from '../../db/errors.ts';
import type { DrainException, SpooledLead } from '../../db/ingest/ingest-drain.ts';
import {
  deleteQuarantined,
  findQuarantineRow,
  isIdReused,
  lockQuarantined,
  type QuarantinedLead,
} from '../../db/ingest/spool-quarantine.ts';
import { storeWithin } from '../../db/ingest/store-within.ts';
import { holdOffErasures } from '../../db/leads/lead-erasures.ts';
import { inTransaction, withSavepoint } from '../../db/pool.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { auditRecord } from '../audit/audit.ts';
import type { Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { spooledLead } from './spooled-lead.ts';

/**
 * The row, the lead and the audit entry change in one transaction, so that a second call or a kill finds it done or
 * untouched. On a cluster the lead is on a node, and is stored first: a second call finds it and does the rest.
 */
export async function storeQuarantined(
  deps: ManagementDeps,
  principal: Principal,
  id: string,
  formId: string | undefined,
): Promise<void> {
  await decide(deps, principal, id, 'storeAQuarantinedLead', async (client, row) => {
    if (row.reason === 'other_body') throw otherBody();
    const spooled = await spooledLead(deps, client, row, formId);
    const lead = (await isIdReused(client, row)) ? underNextId(spooled) : spooled;
    const outcome = await stored(client, lead, deps);
    if (outcome === 'other_body') throw otherBody();
    if (outcome === 'erased') throw notStorable('The lead was erased. Discard this copy.');
    return lead.submissionId;
  });
}

/** Like the drain with the later of two uses of a key: both got a response. The stored lead keeps the key. */
function underNextId(lead: SpooledLead): SpooledLead {
  const { nextSubmissionId } = lead;
  if (nextSubmissionId === null) throw otherBody();
  return { ...lead, submissionId: nextSubmissionId, nextSubmissionId: null, key: null, signed: null };
}

export async function discardQuarantined(
  deps: ManagementDeps,
  principal: Principal,
  id: string,
): Promise<void> {
  await decide(deps, principal, id, 'discardAQuarantinedLead', async (_client, row) => row.submissionId);
}

async function decide(
  deps: ManagementDeps,
  principal: Principal,
  id: string,
  action: string,
  /** Returns the id of the stored lead. */
  work: (client: pg.PoolClient, row: QuarantinedLead) => Promise<string>,
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const { workspaceId } = (await findQuarantineRow(client, id)) ?? missingRow();
    // An erasure locks leads before quarantined rows; this locks in the opposite order.
    await holdOffErasures(client, workspaceId);
    const row = (await lockQuarantined(client, id)) ?? missingRow();
    const submissionId = await work(client, row);
    await deleteQuarantined(client, id);
    const what = {
      action,
      target: { quarantine_id: id, submission_id: submissionId },
      changes: { kind: row.reason },
      byOperator: true,
    };
    await insertAudit(client, auditRecord(deps, principal, workspaceId, what, true));
  });
}

/** Like the drain: whole, or without what is derived from the body if PostgreSQL refuses that. Null if the lead is new. */
async function stored(
  client: pg.PoolClient,
  lead: SpooledLead,
  { pool, log }: ManagementDeps,
): Promise<DrainException['outcome'] | null> {
  const score = { ...lead.score, reasons: [], merits: [] };
  const stripped = { ...lead, projection: Buffer.from('{}'), score };
  let refusal: unknown;
  for (const one of [lead, stripped]) {
    try {
      const exception = await withSavepoint(client, () => storeWithin(pool, client, one));
      return exception?.outcome ?? null;
    } catch (error) {
      if (isPassing(error)) throw error;
      refusal = error;
    }
  }
  log.error({ err: refusal, submission_id: lead.submissionId }, 'PostgreSQL refused a quarantined lead');
  throw notStorable(
    `PostgreSQL still refuses the lead: ${refusalOf(refusal)}. Fix the cause, then try again.`,
  );
}

export function missingRow(): never {
  throw notFound('quarantined lead');
}

function otherBody(): Problem {
  return notStorable(
    'Its submission ID belongs to a lead with a different body, which stays. Discard this one.',
  );
}

function notStorable(detail: string): Problem {
  return new Problem('not_storable', detail);
}
