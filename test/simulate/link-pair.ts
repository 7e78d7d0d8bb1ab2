import type { HostLink } from '../../src/ingest/siblings/link.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';

/** Both ends of a channel between two processes, in simulated time. */
export interface LinkPair {
  readonly worker: HostLink;
  readonly supervisor: HostLink;
  /** What arrives before then waits. */
  stallUntil(at: number): void;
  /** One of the processes has stopped: nothing arrives any more, and questions fail. */
  cut(): void;
}

const delayMs = [0.05, 2] as const;

export function linkPair(time: SimulatedClock, random: Random): LinkPair {
  const worker: End = new End(time, random, () => supervisor);
  const supervisor: End = new End(time, random, () => worker);
  return {
    worker,
    supervisor,
    stallUntil: (at) => {
      worker.freeAt = at;
      supervisor.freeAt = at;
    },
    cut: () => {
      worker.cut();
      supervisor.cut();
    },
  };
}

class End implements HostLink {
  /** When the last message to this end arrives: none overtakes another. */
  freeAt = 0;
  readonly #time: SimulatedClock;
  readonly #random: Random;
  readonly #other: () => End;
  readonly #tells = new Map<string, (content: unknown) => void>();
  readonly #asks = new Map<string, (content: unknown) => unknown>();
  #waiting: ((error: Error) => void)[] = [];
  #isCut = false;

  constructor(time: SimulatedClock, random: Random, other: () => End) {
    this.#time = time;
    this.#random = random;
    this.#other = other;
  }

  tell(topic: string, content: unknown): void {
    const copy = structuredClone(content);
    const other = this.#other();
    other.arrive(() => other.#tells.get(topic)?.(copy));
  }

  ask(topic: string, content: unknown): Promise<unknown> {
    const copy = structuredClone(content);
    const other = this.#other();
    return new Promise((resolve, reject) => {
      if (this.#isCut) return reject(new Error('cut'));
      this.#waiting.push(reject);
      other.arrive(() => {
        const answer = structuredClone(other.#asks.get(topic)?.(copy));
        this.arrive(() => resolve(answer));
      });
    });
  }

  onTell(topic: string, handle: (content: unknown) => void): void {
    this.#tells.set(topic, handle);
  }

  onAsk(topic: string, handle: (content: unknown) => unknown): void {
    this.#asks.set(topic, handle);
  }

  arrive(act: () => void): void {
    const now = this.#time.monotonic();
    this.freeAt = Math.max(this.freeAt, now + this.#random.between(...delayMs));
    this.#time.deadline(this.freeAt - now, () => {
      if (!this.#isCut) act();
    });
  }

  cut(): void {
    this.#isCut = true;
    for (const reject of this.#waiting.splice(0)) reject(new Error('cut'));
  }
}
