import type {
  CommitException,
  CommitOptions,
  IngestLimits,
  StorableLead,
} from '../../src/db/ingest/ingest-commit.ts';
import { type Claimant, claim, claimantOf, leadTo } from './keys.ts';
import { counted } from './rate-windows.ts';
import type { Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';

type Entry = Claimant<StorableLead>;

interface Call {
  readonly tables: Tables;
  readonly transaction: Transaction;
  readonly options: CommitOptions;
  readonly limits: IngestLimits;
  /** In no particular order, as in PostgreSQL. */
  readonly exceptions: CommitException[];
}

/**
 * ingest_commit of migrations/0048_fields_in_the_body.sql, step by step. Each step passes on the leads that it does not
 * settle; in SQL these are the places that are not in `skipped`.
 *
 * The model runs one call after another. It leaves out how concurrent transactions interact: waiting for the lock of a key or
 * a window, `again` for a key whose owner has vanished, and waiting for a standby.
 */
export function ingestCommit(
  tables: Tables,
  transaction: Transaction,
  leads: readonly StorableLead[],
  options: CommitOptions,
): CommitException[] {
  const call: Call = { tables, transaction, options, limits: tables.limits, exceptions: [] };
  const batch = leads.map((lead, place) =>
    claimantOf(lead, place, tables.workspace(lead.shard, lead.workspaceId)),
  );
  const unsettled = withoutStored(batch, call);
  const claimed = withoutRepeats(unsettled, call);
  const granted = withinRates(claimed, call);
  for (const { rows, lead } of granted) rows.insertLead(transaction, lead.submissionId, lead);
  if (granted.length > 0)
    tables.noteLeads(
      transaction,
      granted.map(({ rows, lead }) => ({ rows, submissionId: lead.submissionId })),
    );
  return call.exceptions;
}

/** "Leads whose id may be stored already": all of them on a retry, otherwise those seen before. */
function withoutStored(batch: Entry[], { options: { now, isRetry }, exceptions }: Call): Entry[] {
  return batch.filter(({ lead, place, rows, keyName }) => {
    const isSuspect = lead.signed?.isSuspect === true && lead.key === null;
    if (!isRetry && !isSuspect) return true;
    const stored = rows.leads.get(lead.submissionId);
    if (stored === undefined) return true;
    const isOwn = isRetry && stored.receivedAt === lead.receivedAt && stored.body.equals(lead.body);
    if (isOwn) return false;
    const key = keyName === null ? undefined : rows.keys.get(keyName);
    // A live key is resolved when it is claimed.
    if (key !== undefined && key.expiresAt > now) return true;
    exceptions.push(
      isBySignature(lead)
        ? { place, outcome: 'replay', submissionId: lead.submissionId, sameBody: true }
        : { place, outcome: 'taken', submissionId: null, sameBody: false },
    );
    return false;
  });
}

/** "Keys and signatures". One statement claims all of them before another reads their owners. */
function withoutRepeats(unsettled: Entry[], { transaction, options, limits, exceptions }: Call): Entry[] {
  for (const entry of unsettled) claim(transaction, entry, options.now, limits.keyLifetimeMs);
  return unsettled.filter(({ lead, place, rows, keyName, signatureName }) => {
    // Decided by who wrote the row, not by its id: a duplicate has the id of its original.
    const key = keyName === null ? undefined : rows.keys.get(keyName);
    const signature = signatureName === null ? undefined : rows.keys.get(signatureName);
    const knownKey = key?.writer === transaction.number ? undefined : key;
    const known = knownKey ?? (signature?.writer === transaction.number ? undefined : signature);
    if (known === undefined) return true;
    const { submissionId } = known;
    const sameBody = knownKey === undefined || knownKey.bodyHash.equals(lead.key?.bodyHash as Buffer);
    exceptions.push({ place, outcome: 'replay', submissionId, sameBody });
    // The one it has claimed refers to the original from now on.
    if (keyName !== null && signatureName !== null) {
      for (const name of [keyName, signatureName])
        if (rows.keys.get(name)?.writer === transaction.number) leadTo(transaction, rows, name, submissionId);
    }
    return false;
  });
}

/** "Rate": the rest of the batch is counted together, per workspace and surface, first come, first served. */
function withinRates(claimed: Entry[], call: Call): Entry[] {
  const { tables, transaction, options, limits } = call;
  const over = new Set<Entry>();
  for (const [name, sharing] of Map.groupBy(claimed, windowName)) {
    const { rows, lead } = sharing[0] as Entry;
    const identity = { shard: rows.shard, workspaceId: rows.id, surface: lead.surface };
    const window = counted(tables.windows.get(name), identity, sharing.length, options.now, limits);
    transaction.set(tables.windows, name, window);
    for (const entry of sharing.slice(window.granted)) {
      over.add(entry);
      refuse(entry, window.minuteCount >= limits.perMinuteMax, call);
    }
  }
  return over.size === 0 ? claimed : claimed.filter((entry) => !over.has(entry));
}

/** "Rare: say which leads were over, and give their keys back." A duplicate is recognised before the limit. */
function refuse(
  { lead, place, rows, keyName, signatureName }: Entry,
  isOverMinute: boolean,
  call: Call,
): void {
  const { transaction, options, exceptions } = call;
  const { submissionId } = lead;
  if (isBySignature(lead) && !options.isRetry && rows.leads.has(submissionId)) {
    exceptions.push({ place, outcome: 'replay', submissionId, sameBody: true });
    return;
  }
  const outcome = isOverMinute ? 'rate_limited_minute' : 'rate_limited_day';
  exceptions.push({ place, outcome, submissionId: null, sameBody: null });
  for (const name of [keyName, signatureName])
    if (name !== null && rows.keys.get(name)?.submissionId === submissionId)
      transaction.delete(rows.keys, name);
}

function isBySignature({ surface, key }: StorableLead): boolean {
  return surface === 'webhook' && key === null;
}

function windowName({ rows, lead }: Entry): string {
  return rows.id + lead.surface;
}
