import { networkOf } from '../../../http/client-address.ts';
import { type Clock, hourMs, minuteMs } from '../../../time/clock.ts';
import { isOfStranger, type SecurityEvent } from './security-event.ts';

/** Events of one hour that count as one: the same kind, network and person or API key. */
export interface CountedEvent {
  readonly event: SecurityEvent;
  /** Null for events counted without it. */
  readonly network: string | null;
  readonly firstAt: number;
  readonly hourAt: number;
  readonly count: number;
}

interface Counter extends CountedEvent {
  /** Since the last take. */
  count: number;
  takenAt: number;
}

const repeatsTakenEveryMs = minuteMs;
/** Hourly limits for unauthenticated senders: beyond these networks, events lose their address; beyond these accounts, only the kind counts. */
const networksMax = 100;
const eventsPerNetworkMax = 10;
const accountsMax = 1_000;
/** Hourly limit per person, far above normal use. Beyond it only the kind is counted, so that nobody uses up the space of others. */
const countersPerPersonMax = 100;
/** Hourly limit for all people. */
const countersMax = 10_000;

/** How often each event happened. The number of different events in an hour is bounded. */
export class EventCounters {
  readonly #clock: Clock;
  #counters = new Map<string, Counter>();
  /** Events beyond the limits, by kind; only in the service log. */
  readonly #crowded = new Map<string, Counter>();
  /** How many events each has in this hour. */
  #networks = new Map<string, number>();
  #people = new Map<string, number>();
  #accounts = 0;
  #hourAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An event after its person was looked up. */
  count(event: SecurityEvent, firstAt: number, count: number): void {
    this.#beginHour();
    const counter = this.#counterOf(event, firstAt);
    if (counter === null) this.countByKind(event, firstAt, count);
    else counter.count += count;
  }

  countByKind({ kind }: SecurityEvent, firstAt: number, count: number): void {
    const counter = this.#crowded.get(kind) ?? this.#newCounter({ kind, address: '' }, null, firstAt);
    this.#crowded.set(kind, counter);
    counter.count += count;
  }

  get isEmpty(): boolean {
    return ![...this.#counters.values(), ...this.#crowded.values()].some(({ count }) => count > 0);
  }

  /** Yields each counter and resets it to zero. `all` includes those that would wait for their minute. */
  taken(all: boolean): Generator<CountedEvent> {
    return this.#taken(this.#counters, all);
  }

  takenCrowded(all: boolean): Generator<CountedEvent> {
    return this.#taken(this.#crowded, all);
  }

  *#taken(counters: ReadonlyMap<string, Counter>, all: boolean): Generator<CountedEvent> {
    const now = this.#clock.now();
    for (const counter of counters.values()) {
      const isDue = all || counter.takenAt === 0 || counter.takenAt + repeatsTakenEveryMs <= now;
      if (counter.count === 0 || !isDue) continue;
      const counted: CountedEvent = { ...counter };
      counter.count = 0;
      counter.takenAt = now;
      yield counted;
    }
  }

  #beginHour(): void {
    const now = this.#clock.now();
    const hourAt = now - (now % hourMs);
    if (hourAt === this.#hourAt) return;
    this.#hourAt = hourAt;
    this.#networks = new Map();
    this.#people = new Map();
    this.#accounts = 0;
    // Events that are not written yet stay.
    this.#counters = new Map([...this.#counters].filter(([, { count }]) => count > 0));
  }

  #counterOf(event: SecurityEvent, firstAt: number): Counter | null {
    const network = networkOf(event.address);
    const known = this.#counters.get(keyOf(event, network, this.#hourAt));
    if (known !== undefined) return known;
    return isOfStranger(event.kind)
      ? this.#ofStranger(event, network, firstAt)
      : this.#ofPerson(event, network, firstAt);
  }

  #ofPerson(event: SecurityEvent, network: string, firstAt: number): Counter | null {
    const { kind, person, apiKey } = event;
    const who = person?.id ?? apiKey?.id ?? '';
    const ofPerson = this.#people.get(who) ?? 0;
    const isDetailed = ofPerson < countersPerPersonMax;
    const named = {
      ...(person === undefined ? {} : { person }),
      ...(apiKey === undefined ? {} : { apiKey }),
    };
    const rest: SecurityEvent = { kind, address: '', ...named };
    const counter = isDetailed ? undefined : this.#counters.get(keyOf(rest, null, this.#hourAt));
    if (counter !== undefined) return counter;
    if (this.#counters.size >= countersMax) return null;
    this.#people.set(who, ofPerson + 1);
    return isDetailed ? this.#add(event, network, firstAt) : this.#add(rest, null, firstAt);
  }

  #ofStranger(event: SecurityEvent, network: string, firstAt: number): Counter {
    const ofNetwork = this.#networks.get(network) ?? 0;
    const isNew = ofNetwork === 0 && this.#networks.size < networksMax;
    if (isNew || (ofNetwork > 0 && ofNetwork < eventsPerNetworkMax)) {
      this.#networks.set(network, ofNetwork + 1);
      return this.#add(event, network, firstAt);
    }
    const { kind, person } = event;
    const named: SecurityEvent = { kind, address: '', ...(person === undefined ? {} : { person }) };
    const counter = this.#counters.get(keyOf(named, null, this.#hourAt));
    if (counter !== undefined) return counter;
    if (person !== undefined && this.#accounts < accountsMax) {
      this.#accounts++;
      return this.#add(named, null, firstAt);
    }
    const rest: SecurityEvent = { kind, address: '' };
    return this.#counters.get(keyOf(rest, null, this.#hourAt)) ?? this.#add(rest, null, firstAt);
  }

  #add(event: SecurityEvent, network: string | null, firstAt: number): Counter {
    const counter = this.#newCounter(event, network, firstAt);
    this.#counters.set(keyOf(event, network, this.#hourAt), counter);
    return counter;
  }

  #newCounter(event: SecurityEvent, network: string | null, firstAt: number): Counter {
    return { event, network, firstAt, hourAt: this.#hourAt, count: 0, takenAt: 0 };
  }
}

function keyOf(event: SecurityEvent, network: string | null, hourAt: number): string {
  const { kind, person, apiKey, workspaceId, operation } = event;
  return JSON.stringify([kind, network, person?.id ?? apiKey?.id, workspaceId, operation, hourAt]);
}
