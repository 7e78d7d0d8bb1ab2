import type { Logger } from 'pino';
import type { ChosenHeld } from '../../db/held/decisions/chosen-held.ts';
import type { HeldDecisionRecord } from '../../db/held/decisions/held-decisions.ts';
import { secondMs } from '../../time/clock.ts';
import { type Rest, WakeableLoop } from '../../time/wakeable-loop.ts';
import { type AdmitDeps, admit } from './admit.ts';

export interface HeldDecisionsDeps extends AdmitDeps {
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly log: Logger;
}

const rowsPerStep = 100;
const bytesPerStep = 4 * 1024 ** 2;
const rowsPerSecondMax = 200;
// After a kill, others continue when this is over. Two that work on the same step do no harm.
const leaseMs = 5 * secondMs;
const idlePauseMs = 2 * secondMs;
const failurePauseMs = 50;

/**
 * Admits and discards selections in the background, a step at a time. Every instance that serves management does; selections
 * take turns. A step is
 *
 *   taken    for some seconds, by one instance
 *   done     in a transaction, which finds the rows as they are: none is decided twice
 *   noted    with how far it got, unless somebody else noted the same step. A kill in between repeats the step, which finds
 *            what it did
 */
export class HeldDecisions {
  readonly #deps: HeldDecisionsDeps;
  readonly #loop: WakeableLoop;

  constructor(deps: HeldDecisionsDeps) {
    this.#deps = deps;
    const { clock, isBusy, log } = deps;
    this.#loop = new WakeableLoop({
      clock,
      isBusy,
      turn: () => this.#turn(),
      pauseMs: failurePauseMs,
      onFailure: (error) =>
        log.warn({ err: error }, 'decisions about held submissions interrupted; trying again'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** There is a new selection. */
  wake(): void {
    this.#loop.wake();
  }

  async #turn(): Promise<Rest> {
    if (await this.#step()) return 'none';
    const { clock, database } = this.#deps;
    const now = clock.now();
    const next = await database.findNextTurn(new Date(now));
    return { ms: next === null ? idlePauseMs : Math.min(next.getTime() - now, idlePauseMs) };
  }

  /** False when there is nothing to do now. */
  async #step(): Promise<boolean> {
    const { database, clock } = this.#deps;
    const startedAt = clock.now();
    const decision = await database.take(new Date(startedAt), new Date(startedAt + leaseMs));
    if (decision === null) return false;
    const chosen = await this.#choose(decision);
    const some = withinBytes(chosen);
    const decided = some.length === 0 ? 0 : await this.#decide(decision, some);
    if (decided === 'suspended') {
      await database.stop(decision.workspaceId, decision.id, new Date(clock.now()));
      return true;
    }
    const progress = {
      done: some.length,
      decided,
      afterId: some.at(-1)?.id ?? decision.afterId,
      isFinished: some.length === chosen.length && chosen.length < rowsPerStep,
      nextAt: new Date(startedAt + (some.length * secondMs) / rowsPerSecondMax),
    };
    await database.noteProgress(decision, progress, new Date(clock.now()));
    return true;
  }

  async #choose({ id, workspaceId, kind, selection, afterId }: HeldDecisionRecord): Promise<ChosenHeld[]> {
    const { database, clock } = this.#deps;
    const { last_id: lastId } = selection;
    const admissibleOf = kind === 'admission' ? await database.listFormIds(workspaceId) : null;
    const choice = { selection, now: new Date(clock.now()), admissibleOf, afterId, lastId, decisionId: id };
    return database.listChosen(workspaceId, choice, rowsPerStep);
  }

  /** How many were decided. */
  async #decide(
    { id: decisionId, workspaceId, kind, selection, deliver, createdBy: by }: HeldDecisionRecord,
    chosen: readonly ChosenHeld[],
  ): Promise<number | 'suspended'> {
    const { database, clock } = this.#deps;
    const ids = chosen.map(({ id }) => id);
    if (kind === 'discard') {
      const at = new Date(clock.now());
      const outcomes = await database.discard(workspaceId, ids, { at, by, decisionId });
      return [...outcomes.values()].filter((outcome) => outcome === 'discarded').length;
    }
    const excludeTwins = selection.exclude_twins ?? true;
    const outcomes = await admit(this.#deps, workspaceId, ids, { by, deliver, excludeTwins, decisionId });
    const kinds = [...outcomes.values()].map((outcome) => outcome.kind);
    return kinds.includes('suspended') ? 'suspended' : kinds.filter((one) => one === 'admitted').length;
  }
}

/** The first of them, so that they fit into memory together. */
function withinBytes(chosen: readonly ChosenHeld[]): ChosenHeld[] {
  let bytes = 0;
  return chosen.filter((one, place) => {
    bytes += one.bytes;
    return place === 0 || bytes <= bytesPerStep;
  });
}
