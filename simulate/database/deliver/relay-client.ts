import pg from 'pg';
import { type Asking, ask, askShard } from './deliver-client.ts';
import type { DueWake } from './deliver-rows.ts';
import { RelayTurn } from './relay-turn.ts';

/** The lock that lets one relay work at a time: on one server, or for each node. */
export class RelayLocks {
  readonly #held = new Map<number | null, symbol>();

  take(place: number | null, holder: symbol): boolean {
    if (this.#held.has(place)) return false;
    this.#held.set(place, holder);
    return true;
  }

  isHeldBy(place: number | null, holder: symbol): boolean {
    return this.#held.get(place) === holder;
  }

  free(place: number | null, holder: symbol): void {
    if (this.isHeldBy(place, holder)) this.#held.delete(place);
  }
}

/** Longer than a statement is ever on its way. */
const lateMs = 10_000;

/**
 * relayNotes of src/relay/turn.ts, or relayNotesOfNode for a group of nodes. When its connection breaks, the server rolls
 * back what was not committed; a commit that is on its way may still take effect.
 */
export async function relayTurn(
  asking: Asking,
  locks: RelayLocks,
  groupId: number | null,
  newId: () => string,
): Promise<boolean> {
  const { server, cluster, life } = asking;
  const holder = Symbol('relay');
  const groupOf = (shard: number) => cluster?.map[shard]?.groupId ?? null;
  const turn = new RelayTurn(server.tables, (shard) => groupOf(shard) === groupId);
  const shard = groupId === null ? 0 : (cluster?.map.findIndex((place) => place.groupId === groupId) ?? -1);
  if (shard === -1) return false;
  let isOver = false;
  let isCommitting = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    const free = () => locks.free(groupId, holder);
    if (isCommitting) server.later(lateMs, free);
    else free();
  };
  life.onEnd(end);
  try {
    const take = () => (!isOver && locks.take(groupId, holder) ? turn.take() : 0);
    if ((await askShard(asking, shard, { name: 'relay takes', work: take })) === 0) return false;
    isCommitting = true;
    const now = life.now();
    const commit = () => {
      if (!locks.isHeldBy(groupId, holder)) throw new Error('the transaction has ended');
      const wakes = turn.commit({ now, newId });
      locks.free(groupId, holder);
      if (cluster === null) wakeAll(wakes);
      return wakes;
    };
    const wakes = await askShard(asking, shard, { name: 'relay commits', work: commit });
    // On a cluster destinations are on the coordinator, which does not commit together with the node.
    if (cluster !== null) await ask(asking, { name: 'relay wakes', work: () => wakeAll(wakes) });
    return true;
  } catch (error) {
    // The server has refused it, and rolled it back.
    if (error instanceof pg.DatabaseError) isCommitting = false;
    throw error;
  } finally {
    end();
  }

  function wakeAll(wakes: ReadonlyMap<string, DueWake>): void {
    for (const [id, wake] of wakes) server.tables.deliver.wakeFor(id, wake);
  }
}
