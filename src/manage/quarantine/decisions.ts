import type pg from 'pg';
import { isPassing, refusalOf } from '../../db/errors.ts';
import { type DrainException, ingestDrainWithin, type SpooledLead } from '../../db/ingest/ingest-drain.ts';
import {
  deleteQuarantined,
  findQuarantineRow,
  isIdReused,
  lockQuarantined,
  type QuarantinedLead,
} from '../../db/ingest/spool-quarantine.ts';
import { holdOffErasures } from '../../db/leads/lead-erasures.ts';
import { inTransaction, withSavepoint } from '../../db/pool.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { auditRecord } from '../audit/audit.ts';
import type { Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { spooledLead } from './spooled-lead.ts';

/** Row, lead and audit entry change in one transaction: whoever comes second, or after a kill, finds it done or untouched. */
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

/** As the drain does with the later of two uses of a key: both were answered. The key stays with the one that is stored. */
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
  /** Answers the id that the lead has after it. */
  work: (client: pg.PoolClient, row: QuarantinedLead) => Promise<string>,
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const { workspaceId } = (await findQuarantineRow(client, id)) ?? missingRow();
    // An erasure locks leads before rows of the quarantine, this the other way round.
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

/** As the drain does it: whole, and if PostgreSQL refuses that, without what is made of the body. Null when it is new. */
async function stored(
  client: pg.PoolClient,
  lead: SpooledLead,
  { log }: ManagementDeps,
): Promise<DrainException['outcome'] | null> {
  const score = { ...lead.score, reasons: [], merits: [] };
  const stripped = { ...lead, projection: Buffer.from('{}'), score };
  let refusal: unknown;
  for (const one of [lead, stripped]) {
    try {
      const [exception] = await withSavepoint(client, () => ingestDrainWithin(client, [one]));
      return exception?.outcome ?? null;
    } catch (error) {
      if (isPassing(error)) throw error;
      refusal = error;
    }
  }
  log.error(
    { err: refusal, submission_id: lead.submissionId },
    'PostgreSQL refused a lead of the quarantine',
  );
  throw notStorable(
    `PostgreSQL still refuses the lead: ${refusalOf(refusal)}. Remove the cause, then try again.`,
  );
}

export function missingRow(): never {
  throw notFound('row of the quarantine');
}

function otherBody(): Problem {
  return notStorable('The submission id belongs to a lead with another body, which stays. Discard this one.');
}

function notStorable(detail: string): Problem {
  return new Problem('not_storable', detail);
}
