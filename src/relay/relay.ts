import type { Logger } from 'pino';
import type { Loop } from '../time/clock.ts';
import { giveWay, Portion } from '../time/give-way.ts';
import type { Nodes } from './nodes.ts';
import { relayNotes, relayNotesOfNode, type TurnDeps } from './turn.ts';

export interface RelayDeps extends TurnDeps {
  readonly nodes: Nodes;
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  readonly log: Logger;
}

const pauseMs = 500;
// Each is about the leads of a commit, and a turn is one transaction.
const notesPerTurnMax = 10;
// Senders wait for responses; deliveries and enrichment can wait while they do.
const yieldMsMax = 30_000;

/**
 * Turns notes into jobs, events and deliveries.
 *
 *   one server  one loop takes all notes
 *   a cluster   the same loop only looks for nodes; each node gets a loop. A node that is down, or does not respond, holds up
 *               its own notes and no others
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #stopping = new AbortController();
  readonly #loops = new Map<number, Loop>();
  readonly #notes = new Portion(1, notesPerTurnMax);
  #main: Loop | null = null;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#main = this.#repeat(() => this.#relay());
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // The first may start others until it has stopped.
    await this.#main?.stop();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  async #relay(): Promise<void> {
    const nodes = await this.#deps.nodes.all();
    if (nodes === null) return this.#untilDone((notesMax) => relayNotes(this.#deps, notesMax));
    for (const { groupId } of nodes) {
      if (this.#stopping.signal.aborted || this.#loops.has(groupId)) continue;
      this.#loops.set(
        groupId,
        this.#repeat(() => this.#relayNode(groupId)),
      );
    }
  }

  async #relayNode(groupId: number): Promise<void> {
    await this.#untilDone(async (notesMax) => {
      const node = (await this.#deps.nodes.all())?.find((one) => one.groupId === groupId);
      if (node === undefined) return false;
      // A commit leaves a note in each bucket that it writes to.
      return relayNotesOfNode(this.#deps, node, notesMax * node.shards.length);
    });
  }

  async #untilDone(turn: (notesMax: number) => Promise<boolean>): Promise<void> {
    const { clock, isBusy } = this.#deps;
    const stopping = this.#stopping.signal;
    let isAny = true;
    while (isAny) {
      const waitedMs = await giveWay({ clock, isBusy, msMax: yieldMsMax, stopping });
      isAny = !stopping.aborted && (await turn(this.#notes.after(waitedMs)));
    }
  }

  #repeat(work: () => Promise<unknown>): Loop {
    const { clock, log } = this.#deps;
    return clock.repeat(work, {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'relay interrupted; trying again'),
    });
  }
}
