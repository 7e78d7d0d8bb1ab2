import type { StorableKey, StorableSignature } from '../../../db/ingest/ingest-commit.ts';
import type { IngestDatabase, IngestNode } from '../../../db/ingest/ingest-database.ts';
import type { StoredOriginal } from '../../../db/ingest/stored-originals.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Circuits } from '../../circuit/circuits.ts';
import type { WorkspaceEntry } from '../../directory/directory.ts';
import type { Spool } from '../../spool/spool.ts';
import type { CommitResult } from '../commit-result.ts';
import { hasBodyOf } from './duplicate-names.ts';

export interface OriginalsDeps {
  readonly database: Pick<IngestDatabase, 'nodeOf'>;
  readonly spool: Pick<Spool, 'findOriginal'>;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** What the sender of a request may have got a 202 for. */
export interface Repeat {
  readonly workspace: WorkspaceEntry;
  readonly key: StorableKey | null;
  readonly signed: Pick<StorableSignature, 'id'> | null;
}

type Found = Extract<CommitResult, { readonly kind: 'duplicate' | 'unavailable' }>;

interface Waiting {
  readonly repeat: Repeat;
  readonly settle: (found: Found | null) => void;
  /** True once its node has failed and another one has its shard. */
  hasMoved: boolean;
}

const repeatsPerQueryMax = 500;

/**
 * Looks for the leads of requests that cannot be stored, because their senders may have got a 202 for them before. A node has
 * one query at a time, which answers all requests that have arrived: however many are sent to forms that are switched off,
 * they use one connection.
 */
export class Originals {
  readonly #deps: OriginalsDeps;
  /** Of the nodes that have a query under way: the requests that wait for the next one. */
  readonly #waiting = new Map<IngestNode, Waiting[]>();

  constructor(deps: OriginalsDeps) {
    this.#deps = deps;
  }

  /** Null if there is none; then the request is rejected. */
  async find(repeat: Repeat): Promise<Found | null> {
    const { spool, database } = this.#deps;
    const { workspace, key, signed } = repeat;
    if (key === null && signed === null) return null;
    const held = await spool.findOriginal({ workspaceId: workspace.idBytes, key, signed });
    if (held !== null)
      return { kind: 'duplicate', submissionId: held.submissionId, isSameBody: hasBodyOf(held, repeat) };
    return new Promise((settle) =>
      this.#ask(database.nodeOf(workspace.shard), { repeat, settle, hasMoved: false }),
    );
  }

  #ask(node: IngestNode, waiting: Waiting): void {
    const others = this.#waiting.get(node);
    if (others !== undefined) others.push(waiting);
    else {
      const all = [waiting];
      this.#waiting.set(node, all);
      void this.#askAll(node, all);
    }
  }

  async #askAll(node: IngestNode, waiting: Waiting[]): Promise<void> {
    const { circuits } = this.#deps;
    while (waiting.length > 0) {
      const { open = [], closed = [] } = Object.groupBy(
        waiting.splice(0, repeatsPerQueryMax),
        ({ repeat }) => (circuits.isOpen(repeat.workspace.shard) ? 'open' : 'closed'),
      );
      // We cannot guess what PostgreSQL knows, so while it is down the sender gets no response and tries again.
      for (const { settle } of open) settle({ kind: 'unavailable' });
      if (closed.length === 0) continue;
      const stored = await this.#query(node, closed).catch(() => null);
      for (const [place, one] of closed.entries())
        if (stored === null) this.#askElsewhere(node, one);
        else one.settle(foundBy(one.repeat, stored.get(place)));
    }
    this.#waiting.delete(node);
  }

  /** Null if it takes too long. If the query was sent, the circuit opens, because further ones would wait just as long. */
  async #query(node: IngestNode, waiting: readonly Waiting[]): Promise<Map<number, StoredOriginal> | null> {
    const { circuits, clock, deadlineMs } = this.#deps;
    const sought = waiting.map(({ repeat: { workspace, key, signed } }) => ({
      shard: workspace.shard,
      workspaceId: workspace.id,
      keyHash: key?.hash ?? null,
      signedId: signed?.id ?? null,
    }));
    let isSent = false;
    const asked = node.findOriginals(sought, clock.now(), () => {
      isSent = true;
    });
    const stored = await Promise.race([asked, lateAfter(deadlineMs, clock)]);
    // Of several rows for one request, the first counts.
    if (stored !== late) return new Map(stored.toReversed().map((row) => [row.place, row]));
    if (isSent) circuits.trip(node, new Error('the lookup of stored leads timed out'));
    return null;
  }

  /** When a node fails, it may turn out that another one has the shard. */
  #askElsewhere(node: IngestNode, waiting: Waiting): void {
    const other = this.#deps.database.nodeOf(waiting.repeat.workspace.shard);
    if (other === node || waiting.hasMoved) waiting.settle({ kind: 'unavailable' });
    else {
      waiting.hasMoved = true;
      this.#ask(other, waiting);
    }
  }
}

function foundBy({ key }: Repeat, stored: StoredOriginal | undefined): Found | null {
  if (stored === undefined) return null;
  const { submissionId, bodyHash } = stored;
  return {
    kind: 'duplicate',
    submissionId,
    isSameBody: bodyHash === null || key === null || bodyHash.equals(key.bodyHash),
  };
}

const late = Symbol('late');

function lateAfter(ms: number, clock: Clock): Promise<typeof late> {
  return new Promise((resolve) => clock.deadline(ms, () => resolve(late)));
}
