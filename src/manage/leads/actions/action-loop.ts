import type { Logger } from 'pino';
import {
  findNextTurn,
  type LeadActionRecord,
  lockStep,
  noteFailure,
  noteProgress,
  stopLeadAction,
  takeLeadAction,
} from '../../../db/leads/actions/lead-actions.ts';
import type { MarkableLead } from '../../../db/leads/actions/marked-many.ts';
import { lockErasures } from '../../../db/leads/lead-erasures.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { Mark } from '../../../domain/lead/mark.ts';
import { secondMs } from '../../../time/clock.ts';
import { type Rest, WakeableLoop } from '../../../time/wakeable-loop.ts';
import { type ErasureDeps, eraseLeads } from '../lead-erasure.ts';
import { nextPortion } from './chosen.ts';
import { type ErasedPortion, ErasedPortions, erasureMsMin } from './erased-portion.ts';
import { markLeads } from './mark-leads.ts';
import { isStillAllowed } from './permission.ts';

export interface LeadActionsDeps extends ErasureDeps {
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly log: Logger;
}

const leadsMarkedPerStep = 500;
const leadsMarkedPerSecondMax = 2_000;
// After a kill, others continue when this is over.
const leaseMs = 10 * secondMs;
const idlePauseMs = 2 * secondMs;
const failurePauseMs = 50;
const failuresMax = 10;
const failureWaitMsMax = 60 * secondMs;

/**
 * Marks and erases many leads in the background, a step at a time. Every instance that serves management does; workspaces take
 * turns, and the actions of a workspace follow one another. A step is
 *
 *   taken      for some seconds, by one instance
 *   allowed    if those who started the action still may; otherwise the action stops
 *   done       and noted with how far it got, in one transaction, which begins with the lock of the action: no step is done twice.
 *              On a cluster a kill can leave it done and not noted. Then it is done again, and finds what it did
 *   failed     and tried again later, ten times in a row
 */
export class LeadActions {
  readonly #deps: LeadActionsDeps;
  readonly #loop: WakeableLoop;
  readonly #erasures: ErasedPortions;

  constructor(deps: LeadActionsDeps) {
    this.#deps = deps;
    this.#erasures = new ErasedPortions(deps);
    const { clock, isBusy, log } = deps;
    this.#loop = new WakeableLoop({
      clock,
      isBusy,
      turn: () => this.#turn(),
      pauseMs: failurePauseMs,
      onFailure: (error) => log.warn({ err: error }, 'actions on many leads interrupted; trying again'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** There is a new action. */
  wake(): void {
    this.#loop.wake();
  }

  async #turn(): Promise<Rest> {
    if (await this.#step()) return 'none';
    const { pool, clock } = this.#deps;
    const now = clock.now();
    const next = await findNextTurn(pool, new Date(now));
    if (next === null) this.#erasures.forget();
    return { ms: next === null ? idlePauseMs : Math.min(next.getTime() - now, idlePauseMs) };
  }

  /** False when there is nothing to do now. */
  async #step(): Promise<boolean> {
    const { pool, clock, log } = this.#deps;
    const startedAt = clock.now();
    const now = new Date(startedAt);
    const action = await takeLeadAction(pool, now, new Date(startedAt + leaseMs));
    if (action === null) return false;
    try {
      if (await isStillAllowed(pool, action, now)) await this.#work(action, startedAt);
      else await stopLeadAction(pool, action, 'permission', now);
    } catch (error) {
      const { workspaceId, id, failures } = action;
      log.warn({ err: error, workspace_id: workspaceId, action_id: id }, 'action on many leads failed');
      const waitMs = Math.min(failureWaitMsMax, secondMs * 2 ** failures);
      const nextAt = new Date(clock.now() + waitMs);
      await noteFailure(pool, action, { failuresMax, nextAt, now: new Date(clock.now()) });
    }
    return true;
  }

  async #work(action: LeadActionRecord, startedAt: number): Promise<void> {
    if (action.kind === 'erasure') await this.#erase(action, startedAt);
    else await this.#mark(action, startedAt);
    this.#deps.learning.wake();
  }

  async #mark(action: LeadActionRecord, startedAt: number): Promise<void> {
    const { pool, clock } = this.#deps;
    const { ids, after, isFinished } = await nextPortion(pool, action, leadsMarkedPerStep);
    const nextAt = new Date(startedAt + (ids.length * secondMs) / leadsMarkedPerSecondMax);
    await inTransaction(pool, async (client) => {
      if (!(await lockStep(client, action))) return;
      const now = new Date(clock.now());
      const changed = await markLeads(client, action.workspaceId, ids, markingOf(action, now));
      const progress = { done: ids.length, changed, after, isFinished, nextAt };
      await noteProgress(client, action, progress, new Date(clock.now()));
    });
  }

  async #erase(action: LeadActionRecord, startedAt: number): Promise<void> {
    const portion = await this.#erasures.next(action);
    const nextAt = new Date(startedAt + (await erasureMsMin(this.#deps, portion)));
    const [erased] = await Promise.allSettled([
      this.#erasePortion(action, portion, nextAt),
      this.#erasures.prepareAfter(action, portion),
    ]);
    // What follows is read again if that failed.
    if (erased.status === 'rejected') throw erased.reason;
  }

  async #erasePortion(action: LeadActionRecord, portion: ErasedPortion, nextAt: Date): Promise<void> {
    const { pool, clock } = this.#deps;
    const { ids, after, isFinished, doomed } = portion;
    await inTransaction(pool, async (client) => {
      await lockErasures(client, action.workspaceId);
      if (!(await lockStep(client, action))) return;
      const changed = await eraseLeads(client, this.#deps, action.workspaceId, doomed);
      const progress = { done: ids.length, changed, after, isFinished, nextAt };
      await noteProgress(client, action, progress, new Date(clock.now()));
    });
  }
}

function markingOf({ id, mark, undoes, createdBy: by }: LeadActionRecord, at: Date) {
  const markOf = undoes === null ? () => mark : (lead: MarkableLead) => markBefore(lead, undoes);
  return { markOf, at, by, actionId: id };
}

/** Undefined if someone has marked the lead since. */
function markBefore({ newest, secondNewest }: MarkableLead, actionId: string): Mark | null | undefined {
  return newest?.actionId === actionId ? (secondNewest?.mark ?? null) : undefined;
}
