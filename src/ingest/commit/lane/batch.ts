import { duplicateNames } from '../duplicates/duplicate-names.ts';
import type { Submission } from '../submission.ts';

/** A lead in the queue of a lane. */
export interface Waiting {
  readonly submission: Submission;
  readonly since: number;
  /** Duplicates of this lead in the same batch, which wait for its result. */
  readonly followers: Waiting[];
}

export interface Taken {
  readonly batch: Waiting[];
  /** Left for the next batch. */
  readonly rest: Waiting[];
}

const batchRowsMax = 512;

/** The first leads of a queue, without duplicates of one another. A batch is full once it exceeds `bytesMax`. */
export function takeBatch(queue: readonly Waiting[], bytesMax: number): Taken {
  const batch: Waiting[] = [];
  const deferred: Waiting[] = [];
  const leaders = new Map<string, Waiting>();
  let bytes = 0;
  let taken = 0;
  for (const waiting of queue) {
    if (batch.length === batchRowsMax || bytes > bytesMax) break;
    taken++;
    const leader = leaderOf(waiting, leaders);
    if (leader === 'several') {
      deferred.push(waiting);
    } else if (leader !== null) {
      leader.followers.push(waiting, ...waiting.followers.splice(0));
    } else {
      batch.push(waiting);
      bytes += waiting.submission.lead.body.length;
    }
  }
  return { batch, rest: deferred.concat(queue.slice(taken)) };
}

/**
 * The lead in this batch that this one duplicates, if any. `several` when only its key or only its signature is in the
 * batch: the lead must still claim the other one, so it waits for the next batch.
 */
function leaderOf(waiting: Waiting, leaders: Map<string, Waiting>): Waiting | 'several' | null {
  const names = duplicateNames(waiting.submission.lead);
  const [first] = names;
  if (first === undefined) return null;
  const leader = leaders.get(first);
  if (names.some((name) => leaders.get(name) !== leader)) return 'several';
  if (leader === undefined) for (const name of names) leaders.set(name, waiting);
  return leader ?? null;
}
