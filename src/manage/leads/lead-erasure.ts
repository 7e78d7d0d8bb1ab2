import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isDistributed } from '../../db/citus/nodes/bucket-map.ts';
import { cancelDeliveries } from '../../db/deliver/erased-deliveries.ts';
import { deleteEnrichments } from '../../db/enrichment/lead-enrichments.ts';
import { noteLearnedDue } from '../../db/forms/form-learning.ts';
import { deleteHeld, deleteHeldCopies, hasHeld, listUnhashedHeld } from '../../db/held/held-removal.ts';
import { deleteRecoveries } from '../../db/held/lead-recoveries.ts';
import {
  type CopiedLead,
  deleteQuarantinedCopies,
  hasQuarantined,
} from '../../db/ingest/spool-quarantine.ts';
import { type Erasure, insertErasures, lockErasures } from '../../db/leads/lead-erasures.ts';
import { deleteMarks } from '../../db/leads/lead-marks.ts';
import { deleteSecondLooks } from '../../db/leads/lead-second-looks.ts';
import { deleteLeads, findOriginals, type Original } from '../../db/leads/leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { noteTogether } from '../../db/relay/outbox.ts';
import { openRequest } from '../../domain/held/held-request.ts';
import { personHashesOf } from '../../domain/held/person-hashes.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { shardOf } from '../../domain/workspace.ts';
import { Turns } from '../../time/turns.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

export type ErasureDeps = Pick<ManagementDeps, 'pool' | 'clock' | 'bodyHashes' | 'secretBox' | 'learning'>;

/** A lead that is about to be erased, and what its copies are recognised by. */
export interface DoomedLead extends Original, Omit<Erasure, 'erasedAt'> {
  /** Of the email addresses and phone numbers in it. Null if nothing of the workspace was held when it was read. */
  readonly personHashes: readonly Buffer[] | null;
}

/** What is read and hashed before a transaction. A larger body is read alone. */
const bytesPerErasure = 4 * 1024 ** 2;

// A lead that is being accepted waits for several turns, and this goes on for seconds.
const sliceMs = 0.2;

export async function eraseLead(deps: ErasureDeps, workspaceId: string, submissionId: string): Promise<void> {
  const { doomed } = await prepareErasure(deps, workspaceId, [submissionId]);
  const erased = await inTransaction(deps.pool, async (client) => {
    await lockErasures(client, workspaceId);
    return eraseLeads(client, deps, workspaceId, doomed);
  });
  if (erased === 0) throw notFound('lead');
  deps.learning.wake();
}

export interface PreparedErasure {
  /** In the order asked for. */
  readonly doomed: readonly DoomedLead[];
  readonly bytes: number;
  /** True if there may be more after the last one, because their bodies are large. */
  readonly isCut: boolean;
}

/**
 * Reads and hashes the bodies before the transaction, which is short without it. Leads that do not exist are left out. A body never
 * changes, so nothing can come in between.
 */
export async function prepareErasure(
  deps: ErasureDeps,
  workspaceId: string,
  submissionIds: readonly string[],
  order: 'newest' | 'id' = 'id',
): Promise<PreparedErasure> {
  const { pool, clock, bodyHashes } = deps;
  const originals = await findOriginals(pool, workspaceId, submissionIds, bytesPerErasure, order);
  const isHolding = await hasHeld(pool, workspaceId);
  const doomed: DoomedLead[] = [];
  let bytes = 0;
  // Senders wait meanwhile, and a hostile body takes long to parse.
  const turns = new Turns(clock, sliceMs);
  for (const original of originals) {
    const { body } = original;
    const personHashes = isHolding ? personsIn(bodyHashes, workspaceId, body) : null;
    doomed.push({ ...original, bodyHash: bodyHashes.of(workspaceId, body), personHashes });
    bytes += body.length;
    await turns.take();
  }
  // On a cluster the node of the leads commits before the coordinator, which has the quarantine. If that failed in between,
  // copies would stay, and a second attempt would not find the leads whose copies they are.
  if (await isDistributed(pool))
    await inTransaction(pool, async (client) => {
      await lockErasures(client, workspaceId);
      await deleteQuarantined(client, deps, workspaceId, doomed);
    });
  return { doomed, bytes, isCut: bytes >= bytesPerErasure };
}

function personsIn(hashes: BodyHashes, workspaceId: string, body: Buffer): readonly Buffer[] {
  const lead = parseLead(body);
  return typeof lead === 'string' ? [] : personHashesOf(hashes, workspaceId, lead.fields);
}

type ErasingDeps = Pick<ErasureDeps, 'clock' | 'bodyHashes' | 'secretBox'>;

/**
 * With every copy of their bodies in the workspace: none stays, and none that is in transit comes back. The caller has the lock of
 * erasures. Returns how many leads there were.
 */
export async function eraseLeads(
  client: pg.PoolClient,
  deps: ErasingDeps,
  workspaceId: string,
  doomed: readonly DoomedLead[],
): Promise<number> {
  const found = await deleteLeads(client, workspaceId, doomed);
  const now = deps.clock.now();
  const erased = doomed
    .filter(({ submissionId }) => found.has(submissionId))
    // The clock of the instance that received one may be ahead.
    .map((lead) => ({ ...lead, erasedAt: new Date(Math.max(now, lead.receivedAt.getTime())) }));
  if (erased.length === 0) return 0;
  const erasedIds = [...found];
  await insertErasures(client, workspaceId, erased);
  await deleteEnrichments(client, workspaceId, erasedIds);
  await deleteMarks(client, workspaceId, erasedIds);
  await deleteSecondLooks(client, workspaceId, erasedIds);
  await deleteQuarantined(client, deps, workspaceId, erased);
  await deleteRecoveries(client, workspaceId, erasedIds);
  if (await hasHeld(client, workspaceId)) await deleteHeldOf(client, deps, workspaceId, erased);
  await cancelDeliveries(client, workspaceId, erasedIds);
  await noteErased(client, workspaceId, erased);
  // A form that has learned from one of the leads learns again without it.
  const formIds = [...new Set(erased.map(({ formId }) => formId))];
  await noteLearnedDue(client, workspaceId, new Date(now), formIds);
  return erased.length;
}

async function noteErased(
  client: pg.PoolClient,
  workspaceId: string,
  erased: readonly (DoomedLead & Erasure)[],
): Promise<void> {
  const shard = shardOf(workspaceId);
  const alike = Map.groupBy(erased, ({ formId, erasedAt }) => `${formId} ${erasedAt.getTime()}`);
  const notes = [...alike.values()].map((some) => {
    const [{ formId, erasedAt: at }] = some as [DoomedLead & Erasure];
    const leads = some.map(({ submissionId }) => ({ shard, workspaceId, submissionId }));
    return { type: 'lead.erased' as const, at, data: { form_id: formId }, leads };
  });
  await noteTogether(client, notes);
}

/** Hardly any workspace has something in quarantine. */
async function deleteQuarantined(
  client: pg.PoolClient,
  { clock }: Pick<ErasureDeps, 'clock'>,
  workspaceId: string,
  leads: readonly DoomedLead[],
): Promise<void> {
  if (!(await hasQuarantined(client, workspaceId))) return;
  const copied: CopiedLead[] = [];
  const turns = new Turns(clock, sliceMs);
  for (const { submissionId, receivedAt, body } of leads) {
    copied.push({ submissionId, receivedAt, bodyDigest: createHash('sha256').update(body).digest() });
    await turns.take();
  }
  await deleteQuarantinedCopies(client, workspaceId, copied);
}

async function deleteHeldOf(
  client: pg.PoolClient,
  { clock, bodyHashes, secretBox }: ErasingDeps,
  workspaceId: string,
  erased: readonly DoomedLead[],
): Promise<void> {
  const persons: Buffer[] = [];
  const turns = new Turns(clock, sliceMs);
  for (const { body, personHashes } of erased) {
    // The first of the workspace may have been held since the leads were read.
    persons.push(...(personHashes ?? personsIn(bodyHashes, workspaceId, body)));
    await turns.take();
  }
  const hashes = erased.map(({ bodyHash }) => bodyHash);
  await deleteHeldCopies(client, workspaceId, hashes, persons);
  await deleteUnhashed(client, workspaceId, hashes, { bodyHashes, secretBox });
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
