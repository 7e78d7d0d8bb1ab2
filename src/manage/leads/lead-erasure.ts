import type pg from 'pg';
import { isDistributed } from '../../db/citus/nodes/bucket-map.ts';
import { cancelDeliveries } from '../../db/deliver/erased-deliveries.ts';
import { deleteLeadEnrichment } from '../../db/enrichment/lead-enrichments.ts';
import { noteLearnedDue } from '../../db/forms/form-learning.ts';
import { deleteHeld, deleteHeldCopies, listUnhashedHeld } from '../../db/held/held-removal.ts';
import { deleteRecovery } from '../../db/held/lead-recoveries.ts';
import { deleteQuarantinedCopies } from '../../db/ingest/spool-quarantine.ts';
import { insertErasure, lockErasures } from '../../db/leads/lead-erasures.ts';
import { deleteMarks } from '../../db/leads/lead-marks.ts';
import { deleteSecondLook } from '../../db/leads/lead-second-looks.ts';
import { deleteLead, findOriginal } from '../../db/leads/leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { noteLead } from '../../db/relay/outbox.ts';
import { openRequest } from '../../domain/held/held-request.ts';
import { personHashesOf } from '../../domain/held/person-hashes.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** With every copy of its body in the workspace: none stays, and none that is in transit comes back. */
export async function eraseLead(
  { pool, clock, bodyHashes, secretBox, learning }: ManagementDeps,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  // On a cluster the node of the lead commits before the coordinator, which has the quarantine. If that failed in between,
  // copies would stay, and a second attempt would not find the lead whose copies they are.
  if (await isDistributed(pool)) await eraseQuarantined(pool, workspaceId, submissionId);
  await inTransaction(pool, async (client) => {
    await lockErasures(client, workspaceId);
    const lead = await deleteLead(client, workspaceId, submissionId);
    if (lead === null) throw notFound('lead');
    const { body, receivedAt } = lead;
    const bodyHash = bodyHashes.of(workspaceId, body);
    // The clock of the instance that received it may be ahead.
    const erasedAt = new Date(Math.max(clock.now(), receivedAt.getTime()));
    await insertErasure(client, workspaceId, { submissionId, receivedAt, erasedAt, bodyHash });
    await deleteLeadEnrichment(client, workspaceId, submissionId);
    await deleteMarks(client, workspaceId, submissionId);
    await deleteSecondLook(client, workspaceId, submissionId);
    await deleteQuarantinedCopies(client, workspaceId, submissionId, lead);
    await deleteRecovery(client, workspaceId, submissionId);
    await deleteHeldCopies(client, workspaceId, bodyHash, personHashes(bodyHashes, workspaceId, body));
    await deleteUnhashed(client, workspaceId, body, secretBox);
    await cancelDeliveries(client, workspaceId, submissionId);
    await noteLead(client, workspaceId, submissionId, {
      type: 'lead.erased',
      at: erasedAt,
      data: { form_id: lead.formId },
    });
    // If the form has learned from the lead, it learns again without it.
    await noteLearnedDue(client, workspaceId, new Date(clock.now()), lead.formId);
  });
  learning.wake();
}

/** Of the email addresses and phone numbers in a lead. */
function personHashes(hashes: BodyHashes, workspaceId: string, body: Buffer): Buffer[] {
  const lead = parseLead(body);
  return typeof lead === 'string' ? [] : personHashesOf(hashes, workspaceId, lead.fields);
}

async function eraseQuarantined(pool: pg.Pool, workspaceId: string, submissionId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockErasures(client, workspaceId);
    const lead = await findOriginal(client, workspaceId, submissionId);
    if (lead !== null) await deleteQuarantinedCopies(client, workspaceId, submissionId, lead);
  });
}

/** Requests kept before bodies were hashed. None are left three days after that upgrade. */
async function deleteUnhashed(
  client: pg.PoolClient,
  workspaceId: string,
  body: Buffer,
  box: SecretBox,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const requests = await listUnhashedHeld(client, workspaceId, after);
    const last = requests.at(-1);
    if (last === undefined) return;
    const same = requests.filter(({ id, sealed }) => bodyIn(box, workspaceId, id, sealed)?.equals(body));
    if (same.length > 0)
      await deleteHeld(
        client,
        workspaceId,
        same.map(({ id }) => id),
      );
    after = last.id;
  }
}

/** Null also if it was encrypted with another key: then nobody can read it any more. */
function bodyIn(box: SecretBox, workspaceId: string, id: string, sealed: Buffer): Buffer | null {
  try {
    return openRequest(box, workspaceId, id, sealed).body;
  } catch {
    return null;
  }
}
