import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type Interval,
  insertBlock,
  type LeadToIndex,
  readLeadScores,
  readLeadsToIndex,
} from '../../db/leads/blocks/block-rows.ts';
import { clearDropped, isIndexFree, lockBlocks } from '../../db/leads/blocks/dropped-blocks.ts';
import { findTimeBeyond } from '../../db/leads/blocks/uncovered.ts';
import { inTransaction } from '../../db/pool.ts';
import { type Clock, type Loop, minuteMs, secondMs } from '../../time/clock.ts';
import { giveWay } from '../../time/give-way.ts';
import { contentOf } from './block-content.ts';
import { DueWorkspaces } from './due-workspaces.ts';
import { nextInterval } from './next-interval.ts';

export interface LeadIndexDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly onBlock: (leads: number) => void;
}

export const blockLeads = 4_096;
// All of them are in memory while a block is built, and a sender may fill each lead with text that occurs nowhere else.
const blockBytes = 8 * 1024 ** 2;
const pauseMs = 10 * secondMs;
const yieldMsMax = 30_000;
/** Leads that are older are hardly changed, and hardly any arrive that late. Longer than the clocks of instances differ. */
export const settledMs = 5 * minuteMs;
// A place in a block has 16 bits.
const leadsPerBlockMax = 65_535;
const droppedAtOnce = 4;
// After each block it rests at least as long as the block took.
const restPerWork = 1;

/**
 * Builds the blocks of leads for searching and sorting, one at a time in the whole installation, the newest first. A kill
 * loses the block that is being built, and nothing else.
 */
export class LeadIndex {
  readonly #deps: LeadIndexDeps;
  readonly #due: DueWorkspaces;
  readonly #stopping = new AbortController();
  #loop: Loop | null = null;

  constructor(deps: LeadIndexDeps) {
    this.#deps = deps;
    this.#due = new DueWorkspaces(deps.pool, blockLeads);
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#loop = clock.repeat(() => this.#turn(), {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'lead index interrupted; trying again'),
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop?.stop();
  }

  async #turn(): Promise<void> {
    for (const workspaceId of await this.#due.find()) {
      if (this.#stopping.signal.aborted) return;
      await this.#indexWorkspace(workspaceId);
    }
  }

  async #indexWorkspace(workspaceId: string): Promise<void> {
    const { pool, clock, isBusy } = this.#deps;
    const stopping = this.#stopping.signal;
    let hasDropped = true;
    while (!stopping.aborted) {
      await giveWay({ clock, isBusy, msMax: yieldMsMax, stopping });
      const startedAt = clock.monotonic();
      if (hasDropped) hasDropped = await clearDropped(pool, workspaceId, droppedAtOnce);
      else {
        const leads = await buildNextBlock(this.#deps, workspaceId);
        if (leads === null) return this.#due.looked(workspaceId);
        this.#deps.onBlock(leads);
      }
      await clock.sleep((clock.monotonic() - startedAt) * restPerWork, stopping);
    }
  }
}

/** How many leads it covers; null if there is nothing to build, or another instance builds a block. */
export async function buildNextBlock(
  { pool, clock }: Pick<LeadIndexDeps, 'pool' | 'clock'>,
  workspaceId: string,
  leadsMax = blockLeads,
  bytesMax = blockBytes,
): Promise<number | null> {
  const settled = new Date(clock.now() - settledMs);
  // Without a lock: most have nothing to build.
  if ((await nextInterval(pool, workspaceId, settled, leadsMax)) === null) return null;
  return inTransaction(pool, async (client) => {
    if (!(await isIndexFree(client))) return null;
    const whole = await nextInterval(client, workspaceId, settled, leadsMax);
    if (whole === null) return null;
    const beyond = await findTimeBeyond(client, workspaceId, whole, bytesMax);
    const small = beyond === null ? whole : { ...whole, from: justAfter(beyond) };
    const leads = await readLeadsToIndex(client, workspaceId, small);
    if (leads.length > leadsPerBlockMax) return null;
    const content = await contentOf(leads, clock);
    const covered = leads.slice(0, content.covered);
    const left = leads[content.covered];
    // What is left is a gap, which the next block fills.
    const next = left === undefined ? small : { ...small, from: justAfter(left.receivedAt) };
    await insertBlock(client, workspaceId, next, covered, content);
    await lockBlocks(client, workspaceId);
    if (!(await isUnchanged(client, workspaceId, next, covered))) throw new LeadsChanged();
    return covered.length;
  }).catch((error: unknown) => {
    if (error instanceof LeadsChanged) return null;
    throw error;
  });
}

function justAfter(time: Date): Date {
  return new Date(time.getTime() + 1);
}

/** Rolls the block back; it is built again in the next turn. */
class LeadsChanged extends Error {}

async function isUnchanged(
  client: pg.PoolClient,
  workspaceId: string,
  interval: Interval,
  before: readonly LeadToIndex[],
): Promise<boolean> {
  const now = await readLeadScores(client, workspaceId, interval);
  if (now.length !== before.length) return false;
  return now.every(
    ({ submissionId, score }, i) => before[i]?.submissionId === submissionId && before[i].score === score,
  );
}
