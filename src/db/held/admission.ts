import { sql } from 'kysely';
import type pg from 'pg';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import { holdOffErasures } from '../leads/lead-erasures.ts';
import { inTransaction } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, rowsOf } from '../sql.ts';
import {
  type Admission,
  type AdmittedRow,
  claimKeys,
  keyOf,
  type ReadyLead,
  storeAdmitted,
} from './decisions/admitted-leads.ts';
import { type HeldRow, lockHeldRows } from './decisions/held-rows.ts';
import { lockUsage } from './held-usage.ts';
import { bodyDigest, findEqualLeads, findKeyOwners, isTwinTime } from './twins.ts';

/** Why a request cannot become a lead, whatever its state. */
type Unready = 'unreadable' | 'not_admissible';

export interface WantedAdmission {
  readonly id: string;
  /** Of the lead that it becomes: the first that no earlier lead has. */
  readonly submissionIds: readonly string[];
  readonly lead: ReadyLead | Unready;
}

export type AdmissionOutcome =
  | { readonly kind: 'admitted'; readonly submissionId: string }
  | { readonly kind: 'twin'; readonly of: string }
  | { readonly kind: Unready | 'suspended' | 'decided' | 'missing' };

/**
 * Makes leads of held requests of one workspace. Everything that follows from it is in one transaction, and on a cluster on
 * one node, so whoever repeats it after a kill finds it done or untouched. Admissions of a workspace wait for each other:
 * otherwise two equal requests could become leads at the same time.
 */
export async function admitRows(
  pool: pg.Pool,
  workspaceId: string,
  wanted: readonly WantedAdmission[],
  admission: Admission,
): Promise<Map<string, AdmissionOutcome>> {
  return inTransaction(pool, async (client) => {
    await holdOffErasures(client, workspaceId);
    await lockUsage(client, [workspaceId]);
    const isSuspended = await isSuspendedNow(client, workspaceId);
    const ids = wanted.map(({ id }) => id);
    const rows = new Map(
      (await lockHeldRows(client, workspaceId, ids, admission.at)).map((row) => [row.id, row]),
    );
    const outcomes = new Map<string, AdmissionOutcome>();
    const known = await knownLeads(client, workspaceId, [
      ...wanted.flatMap(({ submissionIds }) => submissionIds),
      ...[...rows.values()].flatMap(({ submissionId }) => submissionId ?? []),
    ]);
    const open: AdmittedRow[] = [];
    for (const { id, submissionIds, lead } of wanted) {
      const row = rows.get(id);
      const settled = row === undefined ? missingOutcome(submissionIds, known) : settledOutcome(row, known);
      if (row === undefined || settled !== null) outcomes.set(id, settled as AdmissionOutcome);
      else if (isSuspended) outcomes.set(id, { kind: 'suspended' });
      else if (typeof lead === 'string') outcomes.set(id, { kind: lead });
      else {
        const free = freeId(row, submissionIds, known);
        if (typeof free === 'string') open.push({ ...row, ...lead, submissionId: free });
        else outcomes.set(id, free);
      }
    }
    await refuseTwins(client, workspaceId, open, outcomes, admission);
    const unique = open.filter(({ id }) => !outcomes.has(id));
    const owners = await claimKeys(client, workspaceId, unique, admission.at);
    const admitted = unique.filter(({ id }) => !owners.has(id));
    for (const [id, of] of owners) outcomes.set(id, { kind: 'twin', of });
    await storeAdmitted(client, workspaceId, admitted, admission);
    for (const { id, submissionId } of admitted) outcomes.set(id, { kind: 'admitted', submissionId });
    return outcomes;
  });
}

/** Until the end of the transaction, nobody suspends it. */
async function isSuspendedNow(client: pg.PoolClient, workspaceId: string): Promise<boolean> {
  const found = await firstRow(
    client,
    sql<{ status: string }>`select status from workspaces where id = ${workspaceId} for share`,
  );
  return found?.status !== 'active';
}

interface KnownLead {
  readonly submissionId: string;
  readonly receivedAt: Date;
  readonly state: 'stored' | 'erased';
}

type KnownLeads = ReadonlyMap<string, readonly KnownLead[]>;

/** What became of the leads with these ids. */
async function knownLeads(
  client: pg.PoolClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<KnownLeads> {
  const inTable = (table: string, state: KnownLead['state']) =>
    rowsOf(
      client,
      sql<KnownLead>`
        select submission_id as "submissionId", received_at as "receivedAt", ${state} as state from ${sql.table(table)}
        where ${inWorkspace(workspaceId)} and submission_id = any (${ids}::uuid[])`,
    );
  const leads = [...(await inTable('leads', 'stored')), ...(await inTable('lead_erasures', 'erased'))];
  return Map.groupBy(leads, ({ submissionId }) => submissionId);
}

/** An erasure of its lead leaves nothing of a request, but the id of the lead. */
function missingOutcome(submissionIds: readonly string[], known: KnownLeads): AdmissionOutcome {
  return { kind: submissionIds.some((id) => known.has(id)) ? 'decided' : 'missing' };
}

/** Null for one that is not decided yet. */
function settledOutcome({ state, submissionId }: HeldRow, known: KnownLeads): AdmissionOutcome | null {
  if (state === 'held') return null;
  const isStored = known.get(submissionId ?? '')?.some((lead) => lead.state === 'stored');
  return isStored && submissionId !== null ? { kind: 'admitted', submissionId } : { kind: 'decided' };
}

/**
 * The first id that is not that of another lead. A lead of an earlier life of its key does not count; one of the same life came
 * of a retry that was accepted. A lead that was erased never comes back, even if nothing else is left of it.
 */
function freeId(
  { receivedAt }: HeldRow,
  submissionIds: readonly string[],
  known: KnownLeads,
): string | AdmissionOutcome {
  let outcome: AdmissionOutcome = { kind: 'decided' };
  for (const id of submissionIds) {
    const leads = known.get(id);
    if (leads === undefined) return id;
    const isStored = leads.some(({ state }) => state === 'stored');
    outcome = isStored ? { kind: 'twin', of: id } : { kind: 'decided' };
    const distances = leads.map((lead) => Math.abs(lead.receivedAt.getTime() - receivedAt.getTime()));
    if (Math.min(...distances) < keyLifetimeMs) break;
  }
  return outcome;
}

/** In the order in which they arrived: of equal requests, the first becomes the lead. */
async function refuseTwins(
  client: pg.PoolClient,
  workspaceId: string,
  open: readonly AdmittedRow[],
  outcomes: Map<string, AdmissionOutcome>,
  { excludeTwins, at }: Admission,
): Promise<void> {
  const keyed = open.map((row) => ({ id: row.id, keyHash: keyOf(row) }));
  const owners = await findKeyOwners(client, workspaceId, keyed, at);
  const digests = new Map(open.map(({ id, body }) => [id, bodyDigest(body)]));
  const digestOf = ({ id }: AdmittedRow) => digests.get(id) as string;
  const asked = open.filter(({ id }) => excludeTwins && !owners.has(id));
  const possible = asked.map((row) => ({ ...row, bodyBytes: row.body.length, digest: digestOf(row) }));
  const equal = await findEqualLeads(client, workspaceId, possible);
  const before = new Map<string, AdmittedRow[]>();
  for (const row of open.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())) {
    const key = keyOf(row)?.toString('hex');
    const content = `${row.formId} ${digestOf(row)}`;
    const sameKey = key === undefined ? undefined : before.get(key)?.[0];
    const sameBody = before.get(content)?.find((other) => isTwinTime(other.receivedAt, row.receivedAt));
    const twin = sameKey ?? (excludeTwins ? sameBody : undefined);
    const of = owners.get(row.id) ?? equal.get(row.id) ?? twin?.submissionId;
    if (of !== undefined) {
      outcomes.set(row.id, { kind: 'twin', of });
      continue;
    }
    for (const name of [content, ...(key === undefined ? [] : [key])])
      before.set(name, [...(before.get(name) ?? []), row]);
  }
}
