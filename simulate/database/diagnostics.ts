import type { ClockDrift } from '../../src/db/alarms/clock-drifts.ts';
import type { HandlingTimes } from '../../src/db/diagnostics/handling-times.ts';
import type {
  DiagnosticNote,
  OutcomeCount,
  OutcomeFlush,
  RejectionEntry,
  UnattributedCount,
} from '../../src/db/diagnostics/outcomes.ts';
import type { UnattributedRequests } from '../../src/db/diagnostics/unattributed-requests.ts';
import type { FormerSecretUse } from '../../src/db/forms/former-secret-uses.ts';
import {
  addressesPerTokenMax,
  addressWrittenEveryMs,
  type TokenUse,
} from '../../src/db/forms/token-addresses.ts';
import { sumOfDrifts } from '../../src/domain/alarm/drift/drift-buckets.ts';
import { sumOfTimes } from '../../src/domain/diagnostics/handling-times.ts';
import { rowTwice, uniqueViolation } from './refusal.ts';
import type { Transaction } from './transaction.ts';

interface FormUseRow {
  readonly formId: string;
  readonly slug: string;
  readonly leadAt: number | null;
  readonly verifiedAt: number | null;
}

export interface FlushRow {
  readonly sequence: number;
  readonly flushedAt: number;
}

type Counted<Item> = Readonly<Omit<Item, 'count' | 'lastAt'>> & {
  readonly count: number;
  readonly lastAt: number;
};

/** The counts and notes of instances: the tables that applyFlush of src/db/diagnostics/outcomes.ts writes. */
export class Diagnostics {
  /** By instance. */
  readonly flushes = new Map<string, FlushRow>();
  readonly counts = new Map<string, Counted<OutcomeCount>>();
  readonly entries = new Map<string, RejectionEntry>();
  readonly notes = new Map<string, DiagnosticNote>();
  readonly unattributed = new Map<string, Counted<UnattributedCount>>();
  readonly unattributedRequests = new Map<string, UnattributedRequests>();
  readonly formerSecretUses = new Map<string, Counted<FormerSecretUse>>();
  readonly clockDrifts = new Map<string, ClockDrift>();
  readonly handlingTimes = new Map<string, HandlingTimes>();
  /** When each token was last used. The model has no tokens table, so it assumes that every token exists. */
  readonly tokenUses = new Map<string, number>();
  readonly formUses = new Map<string, FormUseRow>();
  /** By token and address, when it was last used from there. */
  readonly tokenAddresses = new Map<string, number>();

  /** Applies a flush once, by instance and number. */
  apply(
    transaction: Transaction,
    instanceId: string,
    { sequence, flushedAt }: FlushRow,
    flush: OutcomeFlush,
  ): void {
    const last = this.flushes.get(instanceId);
    if (last !== undefined && last.sequence >= sequence) return;
    transaction.set(this.flushes, instanceId, { sequence, flushedAt });
    insertAll(transaction, this.entries, flush.entries, 'rejection_entries_pkey', ({ id }) => id);
    for (const requests of flush.unattributedRequests)
      transaction.set(this.unattributedRequests, `${this.unattributedRequests.size}`, requests);
    addOutcomes(transaction, this.counts, flush.counts);
    insertAll(transaction, this.notes, flush.notes, 'diagnostic_notes_pkey', ({ id }) => id);
    addCounts(transaction, this.unattributed, flush.unattributed, unattributedName);
    // These are summed before they are inserted, so the same row may come twice.
    for (const use of flush.formerSecretUses)
      addCounts(transaction, this.formerSecretUses, [use], formerSecretName);
    for (const drift of flush.clockDrifts) {
      const name = driftName(drift);
      const before = this.clockDrifts.get(name)?.buckets ?? [];
      transaction.set(this.clockDrifts, name, { ...drift, buckets: sumOfDrifts([before, drift.buckets]) });
    }
    addTimes(transaction, this.handlingTimes, flush.handlingTimes);
    for (const { tokenId, lastUsedAt } of flush.tokensUsed) {
      const before = this.tokenUses.get(tokenId) ?? Number.NEGATIVE_INFINITY;
      transaction.set(this.tokenUses, tokenId, Math.max(before, Date.parse(lastUsedAt)));
    }
    for (const { formId, slug, leadAt, verifiedAt } of flush.formUses) {
      const name = `${formId} ${slug}`;
      const before = this.formUses.get(name);
      transaction.set(this.formUses, name, {
        ...{ formId, slug },
        leadAt: later(before?.leadAt ?? null, leadAt),
        verifiedAt: later(before?.verifiedAt ?? null, verifiedAt),
      });
    }
    addAddresses(transaction, this.tokenAddresses, flush.tokensUsed);
  }
}

/** `insert … on conflict do update set count = c.count + excluded.count, last_at = greatest(…)`. */
function addCounts<Item extends { readonly count: number; readonly lastAt: string }>(
  transaction: Transaction,
  table: Map<string, Counted<Item>>,
  items: readonly Item[],
  nameOf: (item: Item) => string,
): void {
  const written = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (written.has(name)) throw rowTwice();
    written.add(name);
    const before = table.get(name);
    const lastAt = Date.parse(item.lastAt);
    transaction.set(table, name, {
      ...item,
      count: (before?.count ?? 0) + item.count,
      lastAt: before === undefined ? lastAt : Math.max(before.lastAt, lastAt),
    });
  }
}

/** Also adds what was proven, and what is spam. */
function addOutcomes(
  transaction: Transaction,
  table: Map<string, Counted<OutcomeCount>>,
  counts: readonly OutcomeCount[],
): void {
  const added = counts.map((count) => {
    const before = table.get(countName(count));
    return {
      ...count,
      proven: (before?.proven ?? 0) + count.proven,
      spam: (before?.spam ?? 0) + count.spam,
    };
  });
  addCounts(transaction, table, added, countName);
}

function addTimes(
  transaction: Transaction,
  table: Map<string, HandlingTimes>,
  times: readonly HandlingTimes[],
): void {
  const written = new Set<string>();
  for (const row of times) {
    const name = [row.shard, row.workspaceId, Date.parse(row.minute)].join(' ');
    if (written.has(name)) throw rowTwice();
    written.add(name);
    const before = table.get(name)?.buckets ?? [];
    transaction.set(table, name, { ...row, buckets: sumOfTimes([before, row.buckets]) });
  }
}

/** Writes the newest use of each address, unless it was written a short while ago, and keeps the newest addresses. */
function addAddresses(transaction: Transaction, table: Map<string, number>, uses: readonly TokenUse[]): void {
  const newest = new Map<string, number>();
  for (const { tokenId, addresses } of uses)
    for (const { address, lastAt } of addresses) {
      const name = `${tokenId} ${address}`;
      newest.set(name, Math.max(newest.get(name) ?? Number.NEGATIVE_INFINITY, Date.parse(lastAt)));
    }
  for (const [name, at] of newest) {
    const before = table.get(name);
    if (before === undefined || at >= before + addressWrittenEveryMs) transaction.set(table, name, at);
  }
  for (const { tokenId } of uses) {
    const ofToken = [...table].filter(([name]) => name.startsWith(tokenId));
    const ranked = ofToken.toSorted(([a, aAt], [b, bAt]) => bAt - aAt || (a < b ? -1 : 1));
    for (const [name] of ranked.slice(addressesPerTokenMax)) transaction.delete(table, name);
  }
}

function insertAll<Row extends { readonly shard: number; readonly workspaceId: string }>(
  transaction: Transaction,
  table: Map<string, Row>,
  rows: readonly Row[],
  constraint: string,
  idOf: (row: Row) => string,
): void {
  for (const row of rows) {
    const name = `${row.shard} ${row.workspaceId} ${idOf(row)}`;
    if (table.has(name)) throw uniqueViolation(constraint);
    transaction.set(table, name, row);
  }
}

/** `greatest` ignores nulls. */
function later(before: number | null, added: string | null): number | null {
  if (added === null) return before;
  return Math.max(before ?? Number.NEGATIVE_INFINITY, Date.parse(added));
}

function countName({ shard, workspaceId, minute, surface, outcome, formId, tokenId }: OutcomeCount): string {
  return [shard, workspaceId, Date.parse(minute), surface, outcome, formId, tokenId].join(' ');
}

function unattributedName({ minute, surface, reason }: UnattributedCount): string {
  return [Date.parse(minute), surface, reason].join(' ');
}

function formerSecretName({ shard, workspaceId, formId, overlapEndsAt, minute }: FormerSecretUse): string {
  return [shard, workspaceId, formId, Date.parse(overlapEndsAt), Date.parse(minute)].join(' ');
}

function driftName({ shard, workspaceId, formId, minute }: ClockDrift): string {
  return [shard, workspaceId, formId, Date.parse(minute)].join(' ');
}
