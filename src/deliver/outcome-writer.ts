import type { Logger } from 'pino';
import type { DeliverDatabase, DeliveryOutcome } from '../db/deliver/deliver-database.ts';
import { isUnavailable } from '../db/unavailable.ts';
import type { Clock } from '../time/clock.ts';

export interface OutcomeWriterDeps {
  readonly database: Pick<DeliverDatabase, 'partOf' | 'writeOutcomes'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Entry {
  readonly outcome: DeliveryOutcome;
  readonly onWritten: () => void;
}

interface Part {
  readonly place: number | null;
  waiting: Entry[];
}

const gatherMs = 10;
// Right after a write, because a group costs about as much as one outcome.
const gatherBusyMs = 25;
const outcomesPerWriteMax = 200;
const pauseMsMin = 250;
// Less than engines wait after an outage until they claim leases of others.
const pauseMsMax = 1_000;

/**
 * Writes outcomes in groups, for each part of the database on its own, so that a node that is down holds up no other.
 *
 *   idle → gathering     with the first outcome; 10 ms, but 25 ms right after a write
 *   gathering → writing  all that came in the meantime, up to 200
 *   writing → gathering  if more came while it wrote, otherwise → idle
 *   writing → pausing    after a failure. What was not written stays and is tried again, immediately one by one if the
 *                        failure may be due to one of them
 *
 * What waits is bounded, because a line starts no more tries while many of its own are not written.
 */
export class OutcomeWriter {
  readonly #deps: OutcomeWriterDeps;
  readonly #parts = new Map<number | null, Part>();
  readonly #stopping = new AbortController();
  #waitingCount = 0;

  constructor(deps: OutcomeWriterDeps) {
    this.#deps = deps;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** Whatever is not written yet never will be. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when the outcome is written. */
  write(outcome: DeliveryOutcome): Promise<void> {
    this.#waitingCount++;
    return new Promise((resolve) => {
      const onWritten = () => {
        this.#waitingCount--;
        resolve();
      };
      void this.#add({ outcome, onWritten });
    });
  }

  async #add(entry: Entry): Promise<void> {
    const place = await this.#placeOf(entry.outcome.workspaceId);
    const part = this.#parts.get(place);
    if (part !== undefined) {
      part.waiting.push(entry);
      return;
    }
    const started: Part = { place, waiting: [entry] };
    this.#parts.set(place, started);
    await this.#run(started);
  }

  async #placeOf(workspaceId: string): Promise<number | null> {
    const { signal } = this.#stopping;
    for (let pauseMs = pauseMsMin; !signal.aborted; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      try {
        return await this.#deps.database.partOf(workspaceId);
      } catch (error) {
        if (pauseMs === pauseMsMin) this.#report(error, 1);
        await this.#deps.clock.sleep(pauseMs, signal);
      }
    }
    return null;
  }

  async #run(part: Part): Promise<void> {
    const { clock } = this.#deps;
    let pauseMs = 0;
    let nextMs = gatherMs;
    const { signal } = this.#stopping;
    while (part.waiting.length > 0) {
      await clock.sleep(pauseMs === 0 ? nextMs : pauseMs, signal);
      if (signal.aborted) return;
      const group = part.waiting.splice(0, outcomesPerWriteMax);
      try {
        await this.#write(group, part.place);
        pauseMs = 0;
        nextMs = gatherBusyMs;
      } catch (error) {
        if (pauseMs === 0) this.#report(error, group.length);
        const left = isUnavailable(error) ? group : await this.#writeEach(group, part.place);
        part.waiting.unshift(...left);
        pauseMs = Math.min(Math.max(2 * pauseMs, pauseMsMin), pauseMsMax);
      }
    }
    this.#parts.delete(part.place);
  }

  #report(error: unknown, outcomes: number): void {
    this.#deps.log.warn({ err: error, outcomes }, 'delivery outcomes not written; trying again');
  }

  async #write(group: readonly Entry[], place: number | null): Promise<void> {
    await this.#deps.database.writeOutcomes(
      group.map(({ outcome }) => outcome),
      place,
    );
    for (const { onWritten } of group) onWritten();
  }

  /** Returns what is left. */
  async #writeEach(group: readonly Entry[], place: number | null): Promise<Entry[]> {
    const left: Entry[] = [];
    for (const entry of group) await this.#write([entry], place).catch(() => left.push(entry));
    return left;
  }
}
