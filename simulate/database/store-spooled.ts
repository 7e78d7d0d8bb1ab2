import type { DrainException, SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { wasErased } from './erasures.ts';
import { type Claimant, claim, claimantOf, leadTo, renewKey } from './keys.ts';
import type { Noted, Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';
import type { WorkspaceRows } from './workspace-rows.ts';

type Entry = Claimant<SpooledLead>;

/**
 * store_spooled of migrations/0022_quarantine_and_erasures.sql: ingest_drain, then a check for leads that were erased after
 * they were accepted. For one call after another, like ingest-commit.ts.
 */
export function storeSpooled(
  tables: Tables,
  transaction: Transaction,
  leads: readonly SpooledLead[],
): DrainException[] {
  const batch = leads.map((lead, place) =>
    claimantOf(lead, place, tables.workspace(lead.shard, lead.workspaceId)),
  );
  const told = ingestDrain(tables, transaction, batch);
  const erased = batch.filter(({ lead, rows }) => wasErased(rows, lead, tables.limits.keyLifetimeMs));
  // Its key stays claimed, and its id stays in the outbox.
  for (const { lead, rows } of erased)
    for (const id of idsOf(lead))
      if (rows.leads.get(id)?.receivedAt === lead.receivedAt) transaction.delete(rows.leads, id);
  const erasedPlaces = new Set(erased.map(({ place }) => place));
  return [
    ...told.filter(({ place }) => !erasedPlaces.has(place)),
    ...erased.map(({ place }): DrainException => ({ place, outcome: 'erased' })),
  ];
}

/** ingest_drain of migrations/0032_every_lead_is_noted.sql. */
function ingestDrain(tables: Tables, transaction: Transaction, batch: readonly Entry[]): DrainException[] {
  const { keyLifetimeMs } = tables.limits;
  for (const entry of batch) claim(transaction, entry, entry.lead.receivedAt, keyLifetimeMs);
  // Read by the query of the loop, which does not see the changes of the loop.
  const owners = batch.map(ownerOf);
  const told: DrainException[] = [];
  const stored: Noted[] = [];
  for (const [place, entry] of batch.entries()) {
    const { lead, rows } = entry;
    const id = idAfterExpiry(transaction, entry, owners[place] as string, keyLifetimeMs);
    if (id !== null && idsOf(lead).includes(id) && !rows.leads.has(id)) {
      rows.insertLead(transaction, id, lead);
      stored.push({ rows, submissionId: id });
    } else {
      const original = id === null ? undefined : rows.leads.get(id);
      const isSame = original === undefined || original.body.equals(lead.body);
      told.push({ place, outcome: isSame ? 'known' : 'other_body' });
    }
  }
  if (stored.length > 0) tables.noteLeads(transaction, stored);
  return told;
}

/** The current owner of the key; without a key, the lead itself. A signature that belongs to another lead is ignored here. */
function ownerOf({ lead, rows, keyName }: Entry): string {
  const key = keyName === null ? undefined : rows.keys.get(keyName);
  return key?.submissionId ?? lead.submissionId;
}

/**
 * The id to store the lead under. If the owner of the key is a lifetime older, it is the next id, which key and signature
 * then refer to. If the owner is a lifetime newer, it is the lead's own id, unless the newer lead has it. Null for a lead
 * without a key that would need a next id; it is then reported as known.
 */
function idAfterExpiry(
  transaction: Transaction,
  { lead, rows, keyName, signatureName }: Entry,
  ownerId: string,
  lifetimeMs: number,
): string | null {
  const owner = rows.leads.get(ownerId);
  const isNewUse = owner !== undefined && owner.receivedAt <= lead.receivedAt - lifetimeMs;
  const id = isNewUse ? lead.nextSubmissionId : idAmongNewer(lead, rows, ownerId, lifetimeMs);
  if (isNewUse && keyName !== null && id !== null)
    renewKey(transaction, rows, keyName, {
      submissionId: id,
      bodyHash: lead.key?.bodyHash as Buffer,
      expiresAt: lead.receivedAt + lifetimeMs,
    });
  if (signatureName !== null && id !== null && id !== lead.submissionId) {
    if (rows.keys.get(signatureName)?.submissionId === lead.submissionId)
      leadTo(transaction, rows, signatureName, id);
  }
  return id;
}

function idAmongNewer(
  { submissionId, nextSubmissionId, receivedAt }: SpooledLead,
  { leads }: WorkspaceRows,
  ownerId: string,
  lifetimeMs: number,
): string {
  const isNewer = (id: string) => (leads.get(id)?.receivedAt ?? 0) >= receivedAt + lifetimeMs;
  if (nextSubmissionId === null || !isNewer(ownerId)) return ownerId;
  return isNewer(submissionId) ? nextSubmissionId : submissionId;
}

function idsOf({ submissionId, nextSubmissionId }: SpooledLead): string[] {
  return nextSubmissionId === null ? [submissionId] : [submissionId, nextSubmissionId];
}
