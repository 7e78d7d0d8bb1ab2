import type { Cancel, Clock } from '../../time/clock.ts';
import type { HostAnswer } from './choose-primary.ts';
import type { Host } from './database-url.ts';
import type { HostState } from './host-state.ts';

export interface SearchDeps {
  readonly hosts: readonly Host[];
  readonly clock: Clock;
  readonly ask: (host: Host) => Promise<HostState>;
  readonly hasPrimary: (answers: readonly HostAnswer[]) => boolean;
  /** How long to wait for a host; 0 for one that is asked without waiting for it. */
  readonly patienceMs: (host: Host) => number;
}

// Time for a host with a newer timeline to say so before another one is used.
const graceMs = 150;

/**
 * One round of questions to all hosts. It is over when each host has answered or taken longer than our patience with it, or
 * when a primary was found and the others had `graceMs` to object.
 */
export class Search {
  readonly #deps: SearchDeps;
  readonly #answers: HostAnswer[] = [];
  readonly #startedAt: number;
  readonly #onEnd: (answers: HostAnswer[]) => void;
  #isOver = false;
  #cancelGrace: Cancel | null = null;
  #cancelPatience: Cancel = () => {};

  private constructor(deps: SearchDeps, onEnd: (answers: HostAnswer[]) => void) {
    this.#deps = deps;
    this.#onEnd = onEnd;
    this.#startedAt = deps.clock.monotonic();
    for (const host of deps.hosts) void deps.ask(host).then((state) => this.#hear({ host, state }));
    this.#waitForOthers();
  }

  /** The answers, in the order of the hosts. */
  static run(deps: SearchDeps): Promise<HostAnswer[]> {
    return new Promise((resolve) => new Search(deps, resolve));
  }

  #hear(answer: HostAnswer): void {
    if (this.#isOver) return;
    const { clock, hasPrimary } = this.#deps;
    this.#answers.push(answer);
    if (hasPrimary(this.#answers)) this.#cancelGrace ??= clock.deadline(graceMs, () => this.#end());
    this.#waitForOthers();
  }

  #waitForOthers(): void {
    const { hosts, clock, patienceMs } = this.#deps;
    const others = hosts.filter((host) => !this.#answers.some((answer) => answer.host === host));
    const leftMs = Math.max(0, ...others.map(patienceMs)) - (clock.monotonic() - this.#startedAt);
    this.#cancelPatience();
    if (leftMs <= 0) this.#end();
    else this.#cancelPatience = clock.deadline(leftMs, () => this.#end());
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelGrace?.();
    this.#cancelPatience();
    const { hosts } = this.#deps;
    this.#onEnd(this.#answers.toSorted((one, other) => hosts.indexOf(one.host) - hosts.indexOf(other.host)));
  }
}
