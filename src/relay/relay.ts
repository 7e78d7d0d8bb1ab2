import type pg from 'pg';
import { turnNotesIntoJob, turnNotesOfNodeIntoJob } from '../db/relay/outbox.ts';
import type { Loop } from '../time/clock.ts';
import type { Nodes } from './nodes.ts';

export interface RelayDeps {
  readonly pool: pg.Pool;
  readonly nodes: Nodes;
  readonly stopping: AbortSignal;
  /** Waits while the process has more urgent work. */
  readonly giveWay: () => Promise<unknown>;
  readonly repeat: (work: () => Promise<unknown>, pauseMs: number) => Loop;
}

const pauseMs = 500;
const notesPerJobMax = 20;

/**
 * Turns notes into jobs.
 *
 *   one server  one loop takes all notes
 *   a cluster   the same loop only looks for nodes; each node gets a loop. A node that is down, or does not respond, holds up
 *               its own notes and no others
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #loops = new Map<number, Loop>();
  #main: Loop | null = null;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#main = this.#deps.repeat(() => this.#relay(), pauseMs);
  }

  async stop(): Promise<void> {
    // The first may start others until it has stopped.
    await this.#main?.stop();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  async #relay(): Promise<void> {
    const nodes = await this.#deps.nodes.all();
    if (nodes === null) return this.#until(() => turnNotesIntoJob(this.#deps.pool, notesPerJobMax));
    for (const { groupId } of nodes) {
      if (this.#deps.stopping.aborted || this.#loops.has(groupId)) continue;
      this.#loops.set(
        groupId,
        this.#deps.repeat(() => this.#relayNode(groupId), pauseMs),
      );
    }
  }

  async #relayNode(groupId: number): Promise<void> {
    await this.#until(async () => {
      const node = (await this.#deps.nodes.all())?.find((one) => one.groupId === groupId);
      if (node === undefined) return false;
      // A commit leaves a note in each bucket that it writes to.
      return turnNotesOfNodeIntoJob(this.#deps.pool, node, notesPerJobMax * node.shards.length);
    });
  }

  async #until(turn: () => Promise<boolean>): Promise<void> {
    do await this.#deps.giveWay();
    while (!this.#deps.stopping.aborted && (await turn()));
  }
}
