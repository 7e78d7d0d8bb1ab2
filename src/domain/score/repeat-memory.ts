/** What leads are compared by. Only hashes: the memory keeps nothing that anyone wrote. */
export interface LeadPrint {
  readonly body: number;
  readonly email: number;
  /** Hash of the network that the lead names as its origin; 0 if it names none. */
  readonly network: number;
  /** Simhash of the message in two halves; both 0 if the message is too short to compare. */
  readonly messageHigh: number;
  readonly messageLow: number;
}

/** How often something similar was received on the same form. */
export interface Sightings {
  readonly sameBody: number;
  /** Other addresses that sent nearly the same message. */
  readonly nearMessage: number;
  /** Other leads of the same address. */
  readonly sameEmail: number;
  /** Leads of other addresses from the same network. */
  readonly sameNetwork: number;
  /** Removes this lead from the memory, because it was not stored. */
  readonly forget: () => void;
}

/** Hears of every lead that is remembered or forgotten, to tell the other processes of the host. */
export interface RepeatListener {
  seen(formId: string, print: LeadPrint, at: number): void;
  forgotten(formId: string, print: LeadPrint, at: number): void;
}

const formsMax = 2_000;
const leadsFirst = 16;
const leadsMax = 128;
const shortMs = 600_000;
const hourMs = 3_600_000;
// Unrelated texts differ in about 32 bits, give or take 8.
const bitsApartMax = 7;

/**
 * Fingerprints of the latest leads: up to 128 per form and 2,000 forms, about 7 MB in all. A process loses its memory when
 * it ends: this finds floods, not histories. Workers of one host tell each other what they see, within a millisecond or so.
 */
export class RepeatMemory {
  #recent = new Map<string, FormMemory>();
  #earlier = new Map<string, FormMemory>();
  #listener: RepeatListener | null = null;

  tellTo(listener: RepeatListener): void {
    this.#listener = listener;
  }

  /** Compares and remembers in one step, so that leads waiting for the same commit see each other. */
  see(formId: string, print: LeadPrint, now: number): Sightings {
    const listener = this.#listener;
    if (listener === null) return this.#memoryOf(formId).see(print, now, nothing);
    listener.seen(formId, print, now);
    return this.#memoryOf(formId).see(print, now, () => listener.forgotten(formId, print, now));
  }

  /** Remembers a lead that another process of the host has seen. */
  absorb(formId: string, print: LeadPrint, at: number): void {
    this.#memoryOf(formId).remember(print, at);
  }

  /** Forgets a lead that another process of the host has seen and not stored. */
  drop(formId: string, print: LeadPrint, at: number): void {
    this.#memoryOf(formId).drop(print, at);
  }

  #memoryOf(formId: string): FormMemory {
    return this.#recent.get(formId) ?? this.#recall(formId);
  }

  /** Idle forms are dropped in bulk, so that an active form costs a single lookup. */
  #recall(formId: string): FormMemory {
    const memory = this.#earlier.get(formId) ?? new FormMemory();
    if (this.#recent.size >= formsMax / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(formId, memory);
    return memory;
  }
}

/** A ring buffer of fingerprints, stored by column. */
class FormMemory {
  #bodies = new Int32Array(leadsFirst);
  #emails = new Int32Array(leadsFirst);
  #networks = new Int32Array(leadsFirst);
  #highs = new Int32Array(leadsFirst);
  #lows = new Int32Array(leadsFirst);
  #times = new Float64Array(leadsFirst);
  #count = 0;
  #next = 0;

  see(print: LeadPrint, now: number, onForgotten: () => void): Sightings {
    let sameBody = 0;
    let nearMessage = 0;
    let sameEmail = 0;
    let sameNetwork = 0;
    const hasMessage = print.messageHigh !== 0 || print.messageLow !== 0;
    for (let at = 0; at < this.#count; at++) {
      const age = now - (this.#times[at] as number);
      if (age > hourMs) continue;
      const isSameEmail = print.email !== 0 && this.#emails[at] === print.email;
      const isSameBody = this.#bodies[at] === print.body;
      if (isSameEmail && !isSameBody) sameEmail++;
      if (age > shortMs) continue;
      if (print.network !== 0 && !isSameEmail && this.#networks[at] === print.network) sameNetwork++;
      if (isSameBody) sameBody++;
      else if (hasMessage && !isSameEmail && this.#isNear(at, print)) nearMessage++;
    }
    const place = this.remember(print, now);
    const forget = () => {
      this.#forget(place, print);
      onForgotten();
    };
    return { sameBody, nearMessage, sameEmail, sameNetwork, forget };
  }

  /** Returns its place. */
  remember(print: LeadPrint, now: number): number {
    if (this.#next === this.#bodies.length && this.#next < leadsMax) this.#grow();
    const place = this.#next % this.#bodies.length;
    this.#bodies[place] = print.body;
    this.#emails[place] = print.email;
    this.#networks[place] = print.network;
    this.#highs[place] = print.messageHigh;
    this.#lows[place] = print.messageLow;
    this.#times[place] = now;
    this.#next = place + 1;
    this.#count = Math.max(this.#count, this.#next);
    return place;
  }

  drop(print: LeadPrint, at: number): void {
    for (let place = 0; place < this.#count; place++) {
      if (this.#times[place] !== at || this.#bodies[place] !== print.body) continue;
      this.#times[place] = Number.NEGATIVE_INFINITY;
      return;
    }
  }

  #isNear(at: number, { messageHigh, messageLow }: LeadPrint): boolean {
    const high = this.#highs[at] as number;
    const low = this.#lows[at] as number;
    if (high === 0 && low === 0) return false;
    return bitCount(high ^ messageHigh) + bitCount(low ^ messageLow) <= bitsApartMax;
  }

  /** A later lead may have overwritten the place. */
  #forget(place: number, print: LeadPrint): void {
    if (this.#bodies[place] === print.body) this.#times[place] = Number.NEGATIVE_INFINITY;
  }

  #grow(): void {
    const size = this.#bodies.length * 2;
    this.#bodies = grown(this.#bodies, new Int32Array(size));
    this.#emails = grown(this.#emails, new Int32Array(size));
    this.#networks = grown(this.#networks, new Int32Array(size));
    this.#highs = grown(this.#highs, new Int32Array(size));
    this.#lows = grown(this.#lows, new Int32Array(size));
    const times = new Float64Array(size);
    times.set(this.#times);
    this.#times = times;
  }
}

function nothing(): void {}

function grown(from: Int32Array<ArrayBuffer>, to: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  to.set(from);
  return to;
}

function bitCount(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
