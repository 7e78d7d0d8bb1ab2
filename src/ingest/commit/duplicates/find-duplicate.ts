import type { LivingKey } from '../../../db/ingest/idempotency-keys.ts';
import type { StorableKey } from '../../../db/ingest/ingest-commit.ts';
import type { IngestDatabase, IngestNode } from '../../../db/ingest/ingest-database.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Circuits } from '../../circuit/circuits.ts';
import type { WorkspaceEntry } from '../../directory/directory.ts';
import type { Spool } from '../../spool/spool.ts';
import type { CommitResult } from '../commit-result.ts';

export interface FindDuplicateDeps {
  readonly database: Pick<IngestDatabase, 'nodeOf'>;
  readonly spool: Spool;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** What a sender may have got a 202 for. */
interface UsedKey {
  readonly workspace: WorkspaceEntry;
  readonly key: StorableKey;
}

type Found = Extract<CommitResult, { readonly kind: 'duplicate' | 'unavailable' }>;

/**
 * Looks up the idempotency key of a request that cannot be stored, because the sender may have got a 202 for this key before.
 * Null when the key is unknown; then the request is rejected.
 */
export async function findDuplicate(used: UsedKey, deps: FindDuplicateDeps): Promise<Found | null> {
  const known = await findKey(used, deps);
  if (known === 'unavailable') return { kind: 'unavailable' };
  if (known === null) return null;
  const isSameBody = known.bodyHash.equals(used.key.bodyHash);
  return { kind: 'duplicate', submissionId: known.submissionId, isSameBody };
}

/**
 * We cannot guess whether a key was used, so while PostgreSQL is down the sender gets no response and tries again. If the
 * query was sent and takes too long, the circuit opens, because further queries would wait just as long.
 */
async function findKey(
  { workspace, key }: UsedKey,
  { database, spool, circuits, clock, deadlineMs }: FindDuplicateDeps,
): Promise<LivingKey | null | 'unavailable'> {
  const held = await spool.findKey(workspace.idBytes, key);
  if (held?.bodyHash)
    return { submissionId: held.submissionId, bodyHash: Buffer.from(held.bodyHash, 'latin1') };
  const { shard } = workspace;
  if (circuits.isOpen(shard)) return 'unavailable';
  let asked: IngestNode | null = null;
  const ask = (node: IngestNode) =>
    node.findLivingKey(workspace.id, key.hash, clock.now(), () => {
      asked = node;
    });
  const answer = await Promise.race([askNodeOf(shard, database, ask), lateAfter(deadlineMs, clock)]);
  if (answer !== late) return answer;
  if (asked !== null) circuits.trip(asked, new Error('the lookup of an idempotency key timed out'));
  return 'unavailable';
}

/** When the node fails, it may turn out that another one has the shard. */
async function askNodeOf<T>(
  shard: number,
  database: FindDuplicateDeps['database'],
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
