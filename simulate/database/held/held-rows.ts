import type {
  HeldBytes,
  HoldOutcome,
  Missed,
  NewHeld,
  SharedRoom,
} from '../../../src/db/held/held-database.ts';
import { type Usage, UsageBook } from '../../../src/db/held/usage-book.ts';
import { unprovenRoom } from '../../../src/domain/held/held-bounds.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import type { Transaction } from '../transaction.ts';
import type { ErasureRow } from '../workspace-rows.ts';
import { HeldDecisionRows } from './decision-rows.ts';

export interface HeldRequest extends Omit<NewHeld, 'sealed'> {
  /** Null once it is decided. */
  readonly sealed: Buffer | null;
  readonly state: 'held' | 'admitted' | 'discarded';
  /** Of the lead that it became. */
  readonly submissionId: string | null;
  /** Of the selection that it was decided with. */
  readonly decisionId: string | null;
}

export interface RecoveryRow {
  readonly workspaceId: string;
  readonly submissionId: string;
  readonly heldId: string;
  readonly admittedAt: number;
  readonly isDelivered: boolean;
}

/** Rejected requests that are kept, what they use, and what became of them. */
export class HeldRows {
  readonly requests = new Map<string, HeldRequest>();
  /** By workspace and submission id. */
  readonly recoveries = new Map<string, RecoveryRow>();
  readonly decisions = new HeldDecisionRows();
  readonly usage = new Map<string, Usage>();
  readonly missed = new Map<string, Missed>();

  find(workspaceId: string, id: string): HeldRequest | undefined {
    return this.requests.get(nameOf({ shard: shardOf(workspaceId), workspaceId, id }));
  }

  /** What it used is free again. */
  decide(
    transaction: Transaction,
    request: HeldRequest,
    decision: Pick<HeldRequest, 'state' | 'submissionId' | 'decisionId'>,
  ): void {
    this.#use(transaction, request, -1);
    transaction.set(this.requests, nameOf(request), { ...request, ...decision, sealed: null });
  }

  /**
   * `erasuresIn` returns the erasures of a workspace. PostgreSQL ignores requests for former slugs; the model does not have
   * those.
   */
  hold(
    transaction: Transaction,
    held: readonly NewHeld[],
    missed: readonly Missed[],
    room: SharedRoom,
    erasuresIn: (workspaceId: string) => readonly ErasureRow[],
  ): HoldOutcome[] {
    const workspaceIds = new Set(held.map(({ workspaceId }) => workspaceId));
    const before = [...this.usage.values()].filter(({ workspaceId }) => workspaceIds.has(workspaceId));
    const known = held.map((one) => this.#isKnown(one));
    const book = new UsageBook(before, room);
    const outcomes = held.map((one, place): HoldOutcome => {
      if (known[place]) return 'known';
      if (isOfErased(one, erasuresIn)) return 'excluded';
      return book.take(one) ? 'kept' : 'full';
    });
    for (const [place, one] of held.entries()) {
      if (outcomes[place] !== 'kept') continue;
      if (this.#isKnown(one)) outcomes[place] = 'known';
      else {
        const request = { ...one, state: 'held', submissionId: null, decisionId: null } as const;
        transaction.set(this.requests, nameOf(one), request);
        this.#use(transaction, request, 1);
      }
    }
    for (const workspaceId of book.crowded) this.#makeRoom(transaction, workspaceId);
    for (const { count, ...one } of [...missed, ...book.missed]) {
      const name = `${one.workspaceId} ${one.day}`;
      const counted = this.missed.get(name)?.count ?? 0;
      transaction.set(this.missed, name, { ...one, count: counted + count });
    }
    return outcomes;
  }

  /** removeHeld of src/db/held/held-removal.ts. */
  remove(transaction: Transaction, isRemoved: (request: HeldRequest) => boolean): void {
    for (const [name, request] of this.requests) {
      if (!isRemoved(request)) continue;
      transaction.delete(this.requests, name);
      if (request.sealed !== null) this.#use(transaction, request, -1);
    }
  }

  get bytes(): HeldBytes {
    const sum = (isProven: boolean) =>
      [...this.usage.values()].reduce((all, row) => all + (row.isProven === isProven ? row.bytes : 0), 0);
    return { proven: sum(true), unproven: sum(false) };
  }

  #isKnown({ workspaceId, signatureHash, ...one }: NewHeld): boolean {
    if (this.requests.has(nameOf({ workspaceId, ...one }))) return true;
    if (signatureHash === null) return false;
    return [...this.requests.values()].some(
      (other) => other.workspaceId === workspaceId && other.signatureHash?.equals(signatureHash),
    );
  }

  #use(transaction: Transaction, { shard, workspaceId, formId, ...one }: HeldRequest, sign: 1 | -1): void {
    const isProven = one.class !== 'D';
    const name = `${workspaceId} ${formId} ${isProven}`;
    const { rows, bytes } = this.usage.get(name) ?? { rows: 0, bytes: 0 };
    const after = { rows: rows + sign, bytes: bytes + sign * (one.sealed?.length ?? 0) };
    transaction.set(this.usage, name, { shard, workspaceId, formId, isProven, ...after });
  }

  #makeRoom(transaction: Transaction, workspaceId: string): void {
    const newest = [...this.requests.values()]
      .filter((one) => one.workspaceId === workspaceId && one.class === 'D' && one.state === 'held')
      .toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime() || (a.id < b.id ? 1 : -1));
    let bytes = 0;
    const oldest = new Set(
      newest.filter(({ sealed }, place) => {
        bytes += sealed?.length ?? 0;
        return place >= unprovenRoom.rows || bytes > unprovenRoom.bytes;
      }),
    );
    this.remove(transaction, (one) => oldest.has(one));
  }
}

function nameOf({ shard, workspaceId, id }: Pick<NewHeld, 'shard' | 'workspaceId' | 'id'>): string {
  return `${shard} ${workspaceId} ${id}`;
}

function isOfErased(
  { workspaceId, bodyHash, receivedAt }: NewHeld,
  erasuresIn: (workspaceId: string) => readonly ErasureRow[],
): boolean {
  return erasuresIn(workspaceId).some(
    (erasure) => erasure.bodyHash.equals(bodyHash) && receivedAt.getTime() <= erasure.erasedAt,
  );
}
