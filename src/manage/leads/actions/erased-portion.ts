import type { LeadActionRecord } from '../../../db/leads/actions/lead-actions.ts';
import { areNotesWaiting } from '../../../db/relay/outbox.ts';
import { secondMs } from '../../../time/clock.ts';
import { type ErasureDeps, type PreparedErasure, prepareErasure } from '../lead-erasure.ts';
import { nextPortion, type Portion } from './chosen.ts';

const leadsPerStep = 1_000;
const leadsPerSecondMax = 5_000;
// Ordinary leads stay far below this, but a sender may fill each with 128 KB.
const bytesPerSecondMax = 20 * 1024 ** 2;
// Each note is about 50 leads. While more wait, the events of others would wait behind them for longer and longer.
const notesWaitingMax = 2_500;
const leadsPerSecondBehind = 2_000;
// Whether a lead matches a filter may change.
const aheadMsMax = secondMs;
// Each has some megabytes of bodies.
const aheadMax = 4;

export interface ErasedPortion extends Portion, Pick<PreparedErasure, 'doomed' | 'bytes'> {}

interface Ahead {
  readonly action: LeadActionRecord;
  readonly portion: ErasedPortion;
  readonly preparedAt: number;
}

/**
 * The portions of erasures. The next one is read and hashed while the transaction of the last one runs. That is a mere saving of
 * time: whoever continues with an action without it, or from another place, reads the leads then.
 */
export class ErasedPortions {
  readonly #deps: ErasureDeps;
  readonly #ahead = new Map<string, Ahead>();

  constructor(deps: ErasureDeps) {
    this.#deps = deps;
  }

  async next(action: LeadActionRecord): Promise<ErasedPortion> {
    this.#dropOld();
    const ahead = this.#ahead.get(action.id);
    this.#ahead.delete(action.id);
    return ahead !== undefined && isSamePlace(ahead.action, action)
      ? ahead.portion
      : readPortion(this.#deps, action);
  }

  /** Prepares what follows a portion. */
  async prepareAfter(action: LeadActionRecord, { ids, after, isFinished }: ErasedPortion): Promise<void> {
    if (isFinished || after === null || this.#ahead.size >= aheadMax) return;
    const { at: afterAt, id: afterId } = after;
    const following = { ...action, done: action.done + ids.length, afterAt, afterId };
    const preparedAt = this.#deps.clock.now();
    const portion = await readPortion(this.#deps, following);
    this.#ahead.set(action.id, { action: following, portion, preparedAt });
  }

  /** Keeps no lead in memory longer than it is needed. */
  forget(): void {
    this.#ahead.clear();
  }

  #dropOld(): void {
    const now = this.#deps.clock.now();
    for (const [id, { preparedAt }] of this.#ahead) if (preparedAt < now - aheadMsMax) this.#ahead.delete(id);
  }
}

function isSamePlace(one: LeadActionRecord, other: LeadActionRecord): boolean {
  return (
    one.workspaceId === other.workspaceId &&
    one.afterId === other.afterId &&
    one.afterAt?.getTime() === other.afterAt?.getTime()
  );
}

/** The next leads, read and hashed: fewer if their bodies are large. */
async function readPortion(deps: ErasureDeps, action: LeadActionRecord): Promise<ErasedPortion> {
  const portion = await nextPortion(deps.pool, action, leadsPerStep);
  const isById = action.selection?.ids !== undefined;
  const order = isById ? 'id' : 'newest';
  const { doomed, bytes, isCut } = await prepareErasure(deps, action.workspaceId, portion.ids, order);
  const last = doomed.at(-1);
  if (!isCut || last === undefined) return { ...portion, doomed, bytes };
  const { submissionId: id, receivedAt: at } = last;
  const ids = portion.ids.slice(0, portion.ids.indexOf(id) + 1);
  return { ids, after: isById ? { at: null, id } : { at, id }, isFinished: false, doomed, bytes };
}

/** How long a step lasts at least, so that nobody erases without a pause. */
export async function erasureMsMin(
  { pool }: ErasureDeps,
  { ids, bytes }: Pick<ErasedPortion, 'ids' | 'bytes'>,
): Promise<number> {
  const isBehind = await areNotesWaiting(pool, notesWaitingMax);
  const leadsMax = isBehind ? leadsPerSecondBehind : leadsPerSecondMax;
  return secondMs * Math.max(ids.length / leadsMax, bytes / bytesPerSecondMax);
}
