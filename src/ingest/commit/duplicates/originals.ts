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
}

type Answers = ReadonlyMap<number, StoredOriginal>;

const repeatsPerQueryMax = 500;
const together = -1;

/**
 * Looks for the leads of requests that cannot be stored, because their senders may have got a 202 for them before. One query at
 * a time answers all requests that have arrived; on a cluster, all of a shard. However many are sent to forms that are switched
 * off, they use few connections.
 */
export class Originals {
  readonly #deps: OriginalsDeps;
  /** While a query is under way, the requests that wait for the next one: by shard on a cluster, else all together. */
  readonly #waiting = new Map<number, Waiting[]>();

  constructor(deps: OriginalsDeps) {
    this.#deps = deps;
  }

  /** Null if there is none; then the request is rejected. */
  async find(repeat: Repeat): Promise<Found | null> {
    const { workspace, key, signed } = repeat;
    if (key === null && signed === null) return null;
    const held = await this.#deps.spool.findOriginal({ workspaceId: workspace.idBytes, key, signed });
    if (held !== null)
      return { kind: 'duplicate', submissionId: held.submissionId, isSameBody: hasBodyOf(held, repeat) };
    return new Promise((settle) => this.#ask({ repeat, settle }));
  }

  #ask(waiting: Waiting): void {
    const { shard } = waiting.repeat.workspace;
    const isCluster = this.#deps.database.nodeOf(shard).address !== null;
    const queue = isCluster ? shard : together;
    const others = this.#waiting.get(queue);
    if (others !== undefined) others.push(waiting);
    else {
      const all = [waiting];
      this.#waiting.set(queue, all);
      void this.#askAll(queue, all);
    }
  }

  async #askAll(queue: number, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.splice(0, repeatsPerQueryMax);
      const stored = await this.#answersOf(some);
      // We cannot guess what PostgreSQL knows, so while it is down the sender gets no response and tries again.
      for (const [place, { repeat, settle }] of some.entries())
        settle(stored === null ? { kind: 'unavailable' } : foundBy(repeat, stored.get(place)));
    }
    this.#waiting.delete(queue);
  }

  /** When the node fails, it may turn out that another one has the shard. Null if nobody can say. */
  async #answersOf(waiting: readonly Waiting[]): Promise<Answers | null> {
    const { circuits, database } = this.#deps;
    const shard = waiting[0]?.repeat.workspace.shard ?? 0;
    if (circuits.isOpen(shard)) return null;
    const node = database.nodeOf(shard);
    try {
      return await this.#query(node, waiting);
    } catch {
      const other = database.nodeOf(shard);
      return other === node ? null : this.#query(other, waiting).catch(() => null);
    }
  }

  /** Null if it takes too long. If the query was sent, the circuit opens, because further ones would wait just as long. */
  async #query(node: IngestNode, waiting: readonly Waiting[]): Promise<Answers | null> {
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
