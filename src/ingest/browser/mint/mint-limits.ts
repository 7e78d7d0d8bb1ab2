import { mintsPerFormMax, mintsPerNetworkMax } from '../../../domain/browser/protection.ts';
import { type Clock, minuteMs } from '../../../time/clock.ts';
import {
  type AskHost,
  askHostOver,
  CapCounts,
  type CapKind,
  mintCaps,
  type Wish,
} from '../../outcomes/host-caps.ts';
import type { HostLink } from '../../siblings/link.ts';

export interface MintLimitsDeps {
  readonly clock: Pick<Clock, 'monotonic' | 'deadline'>;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

/** Longer than the two minutes that a rate is estimated from. */
const challengeCounts: CapKind = { topic: 'challenges', keptMs: 2 * minuteMs, namesMax: 50_000 };

/**
 * Which challenges were tried, and how often networks and forms ask. In memory, with bounds: what is forgotten too early
 * costs a derivation or an extra token, never a second lead, because the token of a challenge is always the same one.
 */
export class MintLimits {
  readonly #taken: CapCounts;
  readonly #challenges: CapCounts;
  readonly #askHost: AskHost | null;

  constructor({ clock, link }: MintLimitsDeps) {
    this.#taken = new CapCounts(mintCaps, clock);
    this.#challenges = new CapCounts(challengeCounts, clock);
    this.#askHost = link === undefined ? null : askHostOver(link, clock, mintCaps);
  }

  /** Counts a challenge, and says how many a network asked for in the last minute. Each worker counts for itself. */
  challenged(network: string, at: number): number {
    const minute = Math.floor(at / minuteMs);
    const name = (of: number) => `${network} ${of}`;
    this.#challenges.take([[name(minute), Number.POSITIVE_INFINITY]]);
    // As much of the previous minute as lies within the last 60 seconds.
    const rest = 1 - (at % minuteMs) / minuteMs;
    return this.#challenges.countOf(name(minute)) + this.#challenges.countOf(name(minute - 1)) * rest;
  }

  /** False if the network has had its tries of this minute. */
  allowsNetwork(network: string, at: number): Promise<boolean> {
    return this.#take([[`network ${network} ${Math.floor(at / minuteMs)}`, mintsPerNetworkMax]]);
  }

  /** False if the form has had its tokens of this minute. Failed tries do not count: they would cost visitors theirs. */
  allowsForm(formId: string, at: number): Promise<boolean> {
    return this.#take([[`form ${formId} ${Math.floor(at / minuteMs)}`, mintsPerFormMax]]);
  }

  /** True for the first try of a challenge. */
  spend(nonce: string): Promise<boolean> {
    return this.#take([[`nonce ${nonce}`, 1]]);
  }

  async #take(wish: Wish): Promise<boolean> {
    if (!this.#taken.take(wish)) return false;
    const [isAllowed = true] = this.#askHost === null ? [] : await this.#askHost([wish]);
    return isAllowed;
  }
}
