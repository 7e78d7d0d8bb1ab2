import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isDistributed } from '../../db/citus/nodes/bucket-map.ts';
import { cancelDeliveries } from '../../db/deliver/erased-deliveries.ts';
import { deleteEnrichments } from '../../db/enrichment/lead-enrichments.ts';
import { noteLearnedDue } from '../../db/forms/form-learning.ts';
import { deleteHeld, deleteHeldCopies, listUnhashedHeld } from '../../db/held/held-removal.ts';
import { deleteRecoveries } from '../../db/held/lead-recoveries.ts';
import { type CopiedLead, deleteQuarantinedCopies } from '../../db/ingest/spool-quarantine.ts';
import { type Erasure, insertErasures, lockErasures } from '../../db/leads/lead-erasures.ts';
import { deleteMarks } from '../../db/leads/lead-marks.ts';
import { deleteSecondLooks } from '../../db/leads/lead-second-looks.ts';
import { deleteLeads, findOriginals, type Original } from '../../db/leads/leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { noteLeads } from '../../db/relay/outbox.ts';
import { openRequest } from '../../domain/held/held-request.ts';
import { personHashesOf } from '../../domain/held/person-hashes.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { shardOf } from '../../domain/workspace.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

export type ErasureDeps = Pick<ManagementDeps, 'pool' | 'clock' | 'bodyHashes' | 'secretBox' | 'learning'>;

/** A lead that is about to be erased, and what its copies are recognised by. */
export interface DoomedLead extends CopiedLead, Omit<Erasure, 'erasedAt'> {
  readonly formId: string;
  /** Of the email addresses and phone numbers in it. */
  readonly personHashes: readonly Buffer[];
}

const bytesPerRead = 4 * 1024 ** 2;

export async function eraseLead(deps: ErasureDeps, workspaceId: string, submissionId: string): Promise<void> {
  const doomed = await prepareErasure(deps, workspaceId, [submissionId]);
  const erased = await inTransaction(deps.pool, async (client) => {
    await lockErasures(client, workspaceId);
    return eraseLeads(client, deps, workspaceId, doomed);
  });
  if (erased === 0) throw notFound('lead');
  deps.learning.wake();
}

/**
 * Reads and hashes the bodies before the transaction, which is short without it. Leads that do not exist are left out. A body never
 * changes, so nothing can come in between.
 */
export async function prepareErasure(
  { pool, clock, bodyHashes }: ErasureDeps,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<DoomedLead[]> {
  const doomed: DoomedLead[] = [];
  for (let left = submissionIds.toSorted(); left.length > 0; ) {
    const originals = await findOriginals(pool, workspaceId, left, bytesPerRead);
    for (const original of originals) {
      doomed.push(doomedLead(bodyHashes, workspaceId, original));
      // A hostile body takes long to parse, and senders wait.
      if (submissionIds.length > 1) await clock.turn();
    }
    const last = originals.at(-1)?.submissionId;
    left = last === undefined ? [] : left.filter((id) => id > last);
  }
  // On a cluster the node of the leads commits before the coordinator, which has the quarantine. If that failed in between,
  // copies would stay, and a second attempt would not find the leads whose copies they are.
  if (await isDistributed(pool))
    await inTransaction(pool, async (client) => {
      await lockErasures(client, workspaceId);
      await deleteQuarantinedCopies(client, workspaceId, doomed);
    });
  return doomed;
}

function doomedLead(
  hashes: BodyHashes,
  workspaceId: string,
  { submissionId, receivedAt, formId, body }: Original,
): DoomedLead {
  const lead = parseLead(body);
  return {
    submissionId,
    receivedAt,
    formId,
    bodyHash: hashes.of(workspaceId, body),
    bodyDigest: createHash('sha256').update(body).digest(),
    personHashes: typeof lead === 'string' ? [] : personHashesOf(hashes, workspaceId, lead.fields),
  };
}

/**
 * With every copy of their bodies in the workspace: none stays, and none that is in transit comes back. The caller has the lock of
 * erasures. Returns how many leads there were.
 */
export async function eraseLeads(
  client: pg.PoolClient,
  { clock, bodyHashes, secretBox }: Pick<ErasureDeps, 'clock' | 'bodyHashes' | 'secretBox'>,
  workspaceId: string,
  doomed: readonly DoomedLead[],
): Promise<number> {
  const ids = doomed.map(({ submissionId }) => submissionId);
  const found = new Set(await deleteLeads(client, workspaceId, ids));
  const now = clock.now();
  const erased = doomed
    .filter(({ submissionId }) => found.has(submissionId))
    // The clock of the instance that received one may be ahead.
    .map((lead) => ({ ...lead, erasedAt: new Date(Math.max(now, lead.receivedAt.getTime())) }));
  if (erased.length === 0) return 0;
  const erasedIds = [...found];
  const hashes = erased.map(({ bodyHash }) => bodyHash);
  await insertErasures(client, workspaceId, erased);
  await deleteEnrichments(client, workspaceId, erasedIds);
  await deleteMarks(client, workspaceId, erasedIds);
  await deleteSecondLooks(client, workspaceId, erasedIds);
  await deleteQuarantinedCopies(client, workspaceId, erased);
  await deleteRecoveries(client, workspaceId, erasedIds);
  const personHashes = erased.flatMap((lead) => lead.personHashes);
  await deleteHeldCopies(client, workspaceId, hashes, personHashes);
  await deleteUnhashed(client, workspaceId, hashes, { bodyHashes, secretBox });
  await cancelDeliveries(client, workspaceId, erasedIds);
  await noteErased(client, workspaceId, erased);
  // A form that has learned from one of the leads learns again without it.
  for (const formId of new Set(erased.map((lead) => lead.formId)))
    await noteLearnedDue(client, workspaceId, new Date(now), formId);
  return erased.length;
}

async function noteErased(
  client: pg.PoolClient,
  workspaceId: string,
  erased: readonly (DoomedLead & Erasure)[],
): Promise<void> {
  const shard = shardOf(workspaceId);
  const alike = Map.groupBy(erased, ({ formId, erasedAt }) => `${formId} ${erasedAt.getTime()}`);
  for (const leads of alike.values()) {
    const [{ formId, erasedAt: at }] = leads as [DoomedLead & Erasure];
    const refs = leads.map(({ submissionId }) => ({ shard, workspaceId, submissionId }));
    await noteLeads(client, refs, { type: 'lead.erased', at, data: { form_id: formId } });
  }
}

/** Requests kept before bodies were hashed. None are left three days after that upgrade. */
async function deleteUnhashed(
  client: pg.PoolClient,
  workspaceId: string,
  hashes: readonly Buffer[],
  { bodyHashes, secretBox }: Pick<ErasureDeps, 'bodyHashes' | 'secretBox'>,
): Promise<void> {
  const erased = new Set(hashes.map((hash) => hash.toString('hex')));
  for (let after: string | null = null; ; ) {
    const requests = await listUnhashedHeld(client, workspaceId, after);
    const last = requests.at(-1);
    if (last === undefined) return;
    const same = requests.filter(({ id, sealed }) => {
      const body = bodyIn(secretBox, workspaceId, id, sealed);
      return body !== null && erased.has(bodyHashes.of(workspaceId, body).toString('hex'));
    });
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
