import type pg from 'pg';
import type { Logger } from 'pino';
import { findPeopleByEmail } from '../../../db/people/people.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import { networkOf } from '../../../http/client-address.ts';
import type { Clock } from '../../../time/clock.ts';
import { EventCounters } from './event-counters.ts';
import { keepEvent, tellEvent } from './event-rows.ts';
import type { SecurityEvent } from './security-event.ts';

export interface SecurityEventsDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Unnamed {
  readonly event: SecurityEvent & { readonly email: string };
  readonly firstAt: number;
  count: number;
}

const firstWrittenAfterMs = 500;
/** Other parts of the service stop after this, and the service log has the events anyway. */
const stopMsMax = 2_000;
/** Far more than people can type before the next lookup. */
const unnamedMax = 10_000;

/**
 * Security events on their way to the service log and the audit log. Recording one does not delay the caller and cannot fail, so
 * sign-ins do not wait and response times do not reveal whether an account exists. In memory an event is in one of these states:
 *
 * unnamed   holds an email as typed, which is about to be looked up. Unknown emails become one event
 * new       recorded within the last half second and about to be written
 * written   in both logs; repeats are counted and written once a minute
 * left      written, and its hour is over: forgotten
 *
 * However often something is tried, it makes one line a minute and one row an hour, and the number of both is bounded. A
 * killed process loses the counts of a minute. While the database is down, events are only in the service log.
 */
export class SecurityEvents {
  readonly #deps: SecurityEventsDeps;
  readonly #unnamed = new Map<string, Unnamed>();
  readonly #counters: EventCounters;
  #running: Promise<void> | null = null;
  #flushed: Promise<void> = Promise.resolve();
  readonly #stopped = new AbortController();

  constructor(deps: SecurityEventsDeps) {
    this.#deps = deps;
    this.#counters = new EventCounters(deps.clock);
  }

  note({ email, ...event }: SecurityEvent): void {
    const now = this.#deps.clock.now();
    if (email === undefined || event.person !== undefined) this.#counters.count(event, now, 1);
    else this.#noteUnnamed({ ...event, email }, now);
    this.#running ??= this.#writeSoon();
  }

  /** Writes what is due; `all` includes what would wait for its minute. */
  flush(all = true): Promise<void> {
    // One after the other, so that waiting for this one waits for all.
    this.#flushed = this.#flushed.then(() => this.#write(all));
    return this.#flushed;
  }

  async #write(all: boolean): Promise<void> {
    const { log, pool } = this.#deps;
    let isAway = !(await this.#name());
    let untold = 0;
    for (const counted of this.#counters.taken(all)) {
      tellEvent(log, counted);
      if (isAway) {
        untold++;
        continue;
      }
      try {
        await keepEvent(pool, counted);
      } catch (error) {
        const { event, count } = counted;
        const facts = { err: error, event: event.kind, address: event.address, count };
        log.warn(facts, 'security event not written to the audit log');
        isAway = isUnavailable(error);
      }
    }
    for (const counted of this.#counters.takenCrowded(all)) tellEvent(log, counted);
    if (untold > 0) log.warn({ count: untold }, 'database unavailable: security events are only in this log');
  }

  /** Takes at most two seconds, even if the database does not respond. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const written = new AbortController();
    const all = (async () => {
      await this.#running;
      await this.flush();
    })().finally(() => written.abort());
    await Promise.race([all, this.#deps.clock.sleep(stopMsMax, written.signal)]);
    this.#tellAll();
  }

  async #writeSoon(): Promise<void> {
    const { signal } = this.#stopped;
    let waitMs = firstWrittenAfterMs;
    while (!signal.aborted) {
      await this.#deps.clock.sleep(waitMs, signal);
      await this.flush(false);
      if (this.#unnamed.size === 0 && this.#counters.isEmpty) break;
      waitMs = 2 * firstWrittenAfterMs;
    }
    this.#running = null;
  }

  #noteUnnamed(event: Unnamed['event'], now: number): void {
    const { kind, address, email } = event;
    const key = JSON.stringify([kind, networkOf(address), email]);
    const same = this.#unnamed.get(key);
    if (same !== undefined) same.count++;
    else if (this.#unnamed.size < unnamedMax) this.#unnamed.set(key, { event, firstAt: now, count: 1 });
    else this.#counters.count({ kind, address }, now, 1);
  }

  /** Looks up the people behind the typed emails, then forgets the emails. False if the database is down. */
  async #name(): Promise<boolean> {
    const { log, pool } = this.#deps;
    const emails = new Set([...this.#unnamed.values()].map(({ event }) => event.email));
    if (emails.size === 0) return true;
    try {
      const people = await findPeopleByEmail(pool, [...emails]);
      const byEmail = new Map(people.map((person) => [person.email, person]));
      for (const [key, { event, firstAt, count }] of this.#unnamed) {
        const { email, ...rest } = event;
        if (!emails.has(email)) continue;
        this.#unnamed.delete(key);
        const person = byEmail.get(email);
        this.#counters.count(person === undefined ? rest : { ...rest, person }, firstAt, count);
      }
      return true;
    } catch (error) {
      log.warn({ err: error }, 'lookup of people in security events failed');
      this.#leaveUnnamed();
      return !isUnavailable(error);
    }
  }

  #leaveUnnamed(): void {
    for (const { event, firstAt, count } of this.#unnamed.values())
      this.#counters.countByKind(event, firstAt, count);
    this.#unnamed.clear();
  }

  /** Logs what could not be written in time. */
  #tellAll(): void {
    this.#leaveUnnamed();
    for (const counted of this.#counters.taken(true)) tellEvent(this.#deps.log, counted);
    for (const counted of this.#counters.takenCrowded(true)) tellEvent(this.#deps.log, counted);
  }
}
