import { binaryUuid } from '../../src/db/binary.ts';
import type { StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import type { SoughtOriginal, StoredOriginal } from '../../src/db/ingest/stored-originals.ts';
import { rowTwice } from './refusal.ts';
import type { Transaction } from './transaction.ts';
import { bytesName, type KeyRow, type WorkspaceRows } from './workspace-rows.ts';

/** A lead of a batch, with the names of the rows it claims. */
export interface Claimant<Lead extends StorableLead> {
  readonly place: number;
  readonly lead: Lead;
  readonly rows: WorkspaceRows;
  readonly keyName: string | null;
  /** Null unless the signature identifies the lead whatever its key. */
  readonly signatureName: string | null;
}

export function claimantOf<Lead extends StorableLead>(
  lead: Lead,
  place: number,
  rows: WorkspaceRows,
): Claimant<Lead> {
  const { key, signed } = lead;
  return {
    place,
    lead,
    rows,
    keyName: key === null ? null : bytesName(key.hash),
    signatureName: signed?.isClaimed ? bytesName(binaryUuid(signed.id)) : null,
  };
}

const noBodyHash = Buffer.alloc(0);

/** The `insert into idempotency_keys` of both functions, for one lead that claims at the given time. */
export function claim(
  transaction: Transaction,
  { lead, rows, keyName, signatureName }: Claimant<StorableLead>,
  at: number,
  lifetimeMs: number,
): void {
  const { submissionId, key } = lead;
  const row = { submissionId, expiresAt: at + lifetimeMs, writer: transaction.number };
  if (keyName !== null && isFree(transaction, rows, keyName, at))
    transaction.set(rows.keys, keyName, { ...row, bodyHash: key?.bodyHash ?? noBodyHash });
  if (signatureName !== null && isFree(transaction, rows, signatureName, at))
    transaction.set(rows.keys, signatureName, { ...row, bodyHash: noBodyHash });
}

/** An expired row is replaced (`on conflict do update where`), a live one stays. */
function isFree({ number }: Transaction, { keys }: WorkspaceRows, name: string, at: number): boolean {
  const row = keys.get(name);
  if (row?.writer === number) throw rowTwice();
  return row === undefined || row.expiresAt <= at;
}

/** `update idempotency_keys set submission_id`, for an existing row. */
export function leadTo(
  transaction: Transaction,
  { keys }: WorkspaceRows,
  name: string,
  submissionId: string,
): void {
  const row = keys.get(name);
  if (row !== undefined) transaction.set(keys, name, { ...row, submissionId, writer: transaction.number });
}

/** The same for every field of a row but its name. */
export function renewKey(
  transaction: Transaction,
  { keys }: WorkspaceRows,
  name: string,
  row: Omit<KeyRow, 'writer'>,
): void {
  if (keys.has(name)) transaction.set(keys, name, { ...row, writer: transaction.number });
}

/** findOriginals of src/db/ingest/stored-originals.ts, for one of those that are sought. */
export function findOriginals(
  { keys, leads }: WorkspaceRows,
  { keyHash, signedId }: Pick<SoughtOriginal, 'keyHash' | 'signedId'>,
  now: number,
): Omit<StoredOriginal, 'place'>[] {
  const living = (name: Buffer | null) => {
    const row = name === null ? undefined : keys.get(bytesName(name));
    return row === undefined || row.expiresAt <= now ? [] : [row];
  };
  return [
    ...living(keyHash).map(({ submissionId, bodyHash }) => ({ submissionId, bodyHash })),
    ...living(signedId === null ? null : binaryUuid(signedId)).map(({ submissionId }) => ({
      submissionId,
      bodyHash: null,
    })),
    ...(signedId !== null && leads.has(signedId) ? [{ submissionId: signedId, bodyHash: null }] : []),
  ];
}

/** deleteExpiredKeys of src/db/housekeeping.ts. If there are more than the limit, PostgreSQL chooses which to delete. */
export function deleteExpiredKeys(
  transaction: Transaction,
  workspaces: Iterable<WorkspaceRows>,
  now: number,
  rowsMax: number,
): number {
  let deleted = 0;
  for (const { keys } of workspaces) {
    for (const [name, { expiresAt }] of keys) {
      if (expiresAt > now) continue;
      if (deleted === rowsMax) return deleted;
      transaction.delete(keys, name);
      deleted++;
    }
  }
  return deleted;
}
