import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Clock, hourMs, minuteMs } from '../../clock.ts';
import { networkOf } from '../../http/client-address.ts';
import { writeEvent } from './event-rows.ts';
import { isOfStranger, type SecurityEvent } from './security-event.ts';

export interface SecurityEventsDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Events of one hour that are one: the same kind, from the same network, about the same person. */
export interface CountedEvent {
  readonly event: SecurityEvent;
  /** Null for those that are counted without it. */
  readonly network: string | null;
  readonly firstAt: number;
  readonly hourAt: number;
  readonly count: number;
}

interface Counter {
  readonly event: SecurityEvent;
  readonly network: string | null;
  readonly firstAt: number;
  readonly hourAt: number;
  /** Since it was last written. */
  count: number;
  writtenAt: number;
}

const firstWrittenAfterMs = 500;
const repeatsWrittenEveryMs = minuteMs;
/** In an hour, of what strangers cause: so many with their address; then only with the account; then only by kind. */
const networksMax = 100;
const eventsPerNetworkMax = 10;
const accountsMax = 1_000;
/** Of what people cause. Far more than they do; what comes after it is in the log of the service alone. */
const countersMax = 10_000;

/**
 * Security events, on their way into the log and the audit log. Noting one costs its caller nothing and cannot fail: who signs in
 * need not wait, and no time tells whether an account exists. In memory an event is one of
 *
 * new       noted within the last half second: about to be written
 * written   in both logs; what is the same is counted, and written once a minute
 * left      of an hour that is over, and written: forgotten
 *
 * So however often something is tried, it is a line a minute and a row an hour, and the number of both is bounded. A
 * process that is killed loses the counts of a minute.
 */
export class SecurityEvents {
  readonly #deps: SecurityEventsDeps;
  #counters = new Map<string, Counter>();
  /** How many events each has in this hour. */
  #networks = new Map<string, number>();
  #accounts = 0;
  #hourAt = 0;
  #running: Promise<void> | null = null;
  readonly #stopped = new AbortController();

  constructor(deps: SecurityEventsDeps) {
    this.#deps = deps;
  }

  note(event: SecurityEvent): void {
    const now = this.#deps.clock.now();
    this.#beginHour(now);
    const counter = this.#counterOf(event, now);
    if (counter !== null) counter.count++;
    this.#running ??= this.#writeSoon();
  }

  /** Writes what waits; `all` also what would wait for its minute. */
  async flush(all = true): Promise<void> {
    const { clock, log, pool } = this.#deps;
    const now = clock.now();
    for (const counter of this.#counters.values()) {
      const isDue = all || counter.writtenAt === 0 || counter.writtenAt + repeatsWrittenEveryMs <= now;
      if (counter.count === 0 || !isDue) continue;
      const counted: CountedEvent = { ...counter };
      counter.count = 0;
      counter.writtenAt = now;
      await writeEvent(pool, log, counted);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await this.flush();
  }

  async #writeSoon(): Promise<void> {
    const { signal } = this.#stopped;
    let waitMs = firstWrittenAfterMs;
    while (!signal.aborted) {
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
      await this.flush(false);
      if (![...this.#counters.values()].some(({ count }) => count > 0)) break;
      waitMs = 2 * firstWrittenAfterMs;
    }
    this.#running = null;
  }

  #beginHour(now: number): void {
    const hourAt = now - (now % hourMs);
    if (hourAt === this.#hourAt) return;
    this.#hourAt = hourAt;
    this.#networks = new Map();
    this.#accounts = 0;
    // What was not written yet stays until it is.
    this.#counters = new Map([...this.#counters].filter(([, { count }]) => count > 0));
  }

  #counterOf(event: SecurityEvent, now: number): Counter | null {
    const network = networkOf(event.address);
    const known = this.#counters.get(keyOf(event, network, this.#hourAt));
    if (known !== undefined) return known;
    if (!isOfStranger(event.kind))
      return this.#counters.size < countersMax ? this.#add(event, network, now) : null;
    const ofNetwork = this.#networks.get(network) ?? 0;
    const isNew = ofNetwork === 0 && this.#networks.size < networksMax;
    if (isNew || (ofNetwork > 0 && ofNetwork < eventsPerNetworkMax)) {
      this.#networks.set(network, ofNetwork + 1);
      return this.#add(event, network, now);
    }
    const isNamed = event.email !== undefined && this.#accounts < accountsMax;
    const rest: SecurityEvent = { kind: event.kind, address: '', ...(isNamed ? { email: event.email } : {}) };
    const counter = this.#counters.get(keyOf(rest, null, this.#hourAt));
    if (counter !== undefined) return counter;
    if (isNamed) this.#accounts++;
    return this.#add(rest, null, now);
  }

  #add(event: SecurityEvent, network: string | null, now: number): Counter {
    const counter = { event, network, firstAt: now, hourAt: this.#hourAt, count: 0, writtenAt: 0 };
    this.#counters.set(keyOf(event, network, this.#hourAt), counter);
    return counter;
  }
}

function keyOf(event: SecurityEvent, network: string | null, hourAt: number): string {
  const { kind, email, person, workspaceId, operation } = event;
  return JSON.stringify([kind, network, email, person?.id, workspaceId, operation, hourAt]);
}
