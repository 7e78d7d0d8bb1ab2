import { binaryUuid } from '../../../db/binary.ts';
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

type Stored = readonly StoredOriginal[] | 'unavailable';

interface Waiting {
  readonly repeat: Repeat;
  readonly settle: (stored: Stored) => void;
}

const repeatsPerQueryMax = 500;

/**
 * Looks for the leads of requests that cannot be stored, because their senders may have got a 202 for them before. Each
 * workspace has one query at a time, which answers all of its requests that have arrived: however many it sends to a form that is
 * switched off, others find a connection.
 */
export class Originals {
  readonly #deps: OriginalsDeps;
  /** Of the workspaces that have a query under way: the requests that wait for the next one. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(deps: OriginalsDeps) {
    this.#deps = deps;
  }

  /** Null if there is none; then the request is rejected. */
  async find(repeat: Repeat): Promise<Found | null> {
    const { spool, circuits } = this.#deps;
    const { workspace, key, signed } = repeat;
    if (key === null && signed === null) return null;
    const held = await spool.findOriginal({ workspaceId: workspace.idBytes, key, signed });
    if (held !== null)
      return { kind: 'duplicate', submissionId: held.submissionId, isSameBody: hasBodyOf(held, repeat) };
    // We cannot guess what PostgreSQL knows, so while it is down the sender gets no response and tries again.
    if (circuits.isOpen(workspace.shard)) return { kind: 'unavailable' };
    const stored = await new Promise<Stored>((settle) => this.#ask({ repeat, settle }));
    return stored === 'unavailable' ? { kind: 'unavailable' } : originalOf(repeat, stored);
  }

  #ask(waiting: Waiting): void {
    const { workspace } = waiting.repeat;
    const others = this.#waiting.get(workspace.id);
    if (others !== undefined) others.push(waiting);
    else {
      this.#waiting.set(workspace.id, [waiting]);
      void this.#askAll(workspace);
    }
  }

  async #askAll(workspace: WorkspaceEntry): Promise<void> {
    const waiting = this.#waiting.get(workspace.id) ?? [];
    while (waiting.length > 0) {
      const some = waiting.splice(0, repeatsPerQueryMax);
      const stored = await this.#query(workspace, some).catch(() => 'unavailable' as const);
      for (const { settle } of some) settle(stored);
    }
    this.#waiting.delete(workspace.id);
  }

  /** If the query was sent and takes too long, the circuit opens, because further queries would wait just as long. */
  async #query({ id, shard }: WorkspaceEntry, waiting: readonly Waiting[]): Promise<Stored> {
    const { database, circuits, clock, deadlineMs } = this.#deps;
    if (circuits.isOpen(shard)) return 'unavailable';
    const names = {
      keyHashes: waiting.flatMap(({ repeat }) => repeat.key?.hash ?? []),
      signedIds: waiting.flatMap(({ repeat }) => repeat.signed?.id ?? []),
    };
    let asked: IngestNode | null = null;
    const ask = (node: IngestNode) =>
      node.findOriginals(id, names, clock.now(), () => {
        asked = node;
      });
    const stored = await Promise.race([askNodeOf(shard, database, ask), lateAfter(deadlineMs, clock)]);
    if (stored !== late) return stored;
    if (asked !== null) circuits.trip(asked, new Error('the lookup of stored leads timed out'));
    return 'unavailable';
  }
}

function originalOf({ key, signed }: Repeat, stored: readonly StoredOriginal[]): Found | null {
  const signedName = signed && binaryUuid(signed.id);
  const byKey = stored.find(({ name }) => key !== null && name.equals(key.hash));
  const bySignature = stored.find(({ name }) => signedName?.equals(name));
  const found = byKey ?? bySignature;
  if (found === undefined) return null;
  const isSameBody = byKey === undefined || key === null || byKey.bodyHash.equals(key.bodyHash);
  return { kind: 'duplicate', submissionId: found.submissionId, isSameBody };
}

/** When the node fails, it may turn out that another one has the shard. */
async function askNodeOf<T>(
  shard: number,
  database: OriginalsDeps['database'],
  ask: (node: IngestNode) => Promise<T>,
): Promise<T | 'unavailable'> {
  const node = database.nodeOf(shard);
  try {
    return await ask(node);
  } catch {
    const other = database.nodeOf(shard);
    return other === node ? 'unavailable' : ask(other).catch(() => 'unavailable');
  }
}

const late = Symbol('late');

function lateAfter(ms: number, clock: Clock): Promise<typeof late> {
  return new Promise((resolve) => clock.deadline(ms, () => resolve(late)));
}
