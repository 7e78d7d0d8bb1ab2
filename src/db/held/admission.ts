import { sql } from 'kysely';
import type pg from 'pg';
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
export type Unready = 'unreadable' | 'not_admissible';

export interface WantedAdmission {
  readonly id: string;
  /** Of the lead that it becomes. */
  readonly submissionId: string;
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
    const known = await knownLeads(client, workspaceId, wanted);
    const open: AdmittedRow[] = [];
    for (const { id, submissionId, lead } of wanted) {
      const row = rows.get(id);
      const settled = settledOutcome(row, known.get(submissionId), submissionId);
      if (settled !== null) outcomes.set(id, settled);
      else if (isSuspended) outcomes.set(id, { kind: 'suspended' });
      else if (typeof lead === 'string') outcomes.set(id, { kind: lead });
      else open.push({ ...(row as HeldRow), ...lead, submissionId });
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
  readonly state: 'stored' | 'erased';
}

/** What became of the leads that these would be. */
async function knownLeads(
  client: pg.PoolClient,
  workspaceId: string,
  wanted: readonly WantedAdmission[],
): Promise<Map<string, KnownLead['state']>> {
  const ids = wanted.map(({ submissionId }) => submissionId);
  const inTable = (table: string, state: KnownLead['state']) =>
    rowsOf(
      client,
      sql<KnownLead>`select submission_id as "submissionId", ${state} as state from ${sql.table(table)}
        where ${inWorkspace(workspaceId)} and submission_id = any (${ids}::uuid[])`,
    );
  const erased = await inTable('lead_erasures', 'erased');
  const stored = await inTable('leads', 'stored');
  return new Map([...erased, ...stored].map(({ submissionId, state }) => [submissionId, state]));
}

/** Null for one that can be admitted. A lead that was erased never comes back, even if nothing else is left of it. */
function settledOutcome(
  row: HeldRow | undefined,
  lead: KnownLead['state'] | undefined,
  submissionId: string,
): AdmissionOutcome | null {
  if (lead === 'erased') return { kind: 'decided' };
  if (row === undefined) return { kind: 'missing' };
  if (row.state === 'held') return null;
  const isAdmitted = row.state === 'admitted' && lead === 'stored';
  return isAdmitted ? { kind: 'admitted', submissionId } : { kind: 'decided' };
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
  const asked = open.filter(({ id }) => excludeTwins && !owners.has(id));
  const possible = asked.map((row) => ({ ...row, bodyBytes: row.body.length }));
  const equal = await findEqualLeads(client, workspaceId, possible);
  const before = new Map<string, AdmittedRow[]>();
  for (const row of open.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())) {
    const key = keyOf(row)?.toString('hex');
    const content = `${row.formId} ${bodyDigest(row.body)}`;
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
