import { BodyCounts } from './repeats/body-counts.ts';
import { RecentLeads } from './repeats/recent-leads.ts';
import type { Sketch } from './repeats/sketch.ts';
import { TextMemory } from './repeats/text-memory.ts';
import { secondsOf } from './repeats/window.ts';

/** What leads are compared by. Only hashes: the memory keeps nothing that anyone wrote. */
export interface LeadPrint {
  /** Hash of all that the sender filled in. */
  readonly body: number;
  /** Hash of who sent it: address, else phone number, else name, else network; 0 if the lead names none of them. */
  readonly sender: number;
  /** Hash of the address; 0 if there is none. */
  readonly email: number;
  /** Hash of the network that the lead names as its origin; 0 if it names none. */
  readonly network: number;
  /** Hash of the message. */
  readonly text: number;
  /** Null if the message is too short to be compared with those of other people. */
  readonly sketch: Sketch | null;
}

/** How often something similar was received on the same form. */
export interface Sightings {
  readonly sameBody: number;
  /** Other senders of the same long message, word for word. */
  readonly sameText: number;
  /** Other senders of nearly the same long message; includes `sameText`. */
  readonly nearText: number;
  /** Other senders of a similar long message; includes `nearText`. A few of them mean nothing. */
  readonly likeText: number;
  /** Long messages of the same sender that are nearly the same, in other words. */
  readonly ownText: number;
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

const formsMax = 10_000;
const ownBytesMax = 32 * 1_024 * 1_024;
/** Of a form that has received a few leads, outside its tables. */
const formBytes = 1_024;

/**
 * What each form received within hours: up to 18 KB per form, 10,000 forms and 32 MB in all. A process loses its memory
 * when it ends: this finds floods, not histories. Workers of one host tell each other what they see, within a
 * millisecond or so.
 */
export class RepeatMemory {
  #recent = new Map<string, FormMemory>();
  #earlier = new Map<string, FormMemory>();
  #recentBytes = 0;
  readonly #bytesMax: number;
  #listener: RepeatListener | null = null;

  constructor(bytesMax = ownBytesMax) {
    this.#bytesMax = bytesMax;
  }

  tellTo(listener: RepeatListener): void {
    this.#listener = listener;
  }

  /** Compares and remembers in one step, so that leads waiting for the same commit see each other. */
  see(formId: string, print: LeadPrint, now: number): Sightings {
    const listener = this.#listener;
    if (listener === null) return this.#seeIn(formId, print, now, nothing);
    listener.seen(formId, print, now);
    return this.#seeIn(formId, print, now, () => listener.forgotten(formId, print, now));
  }

  /** Remembers a lead that another process of the host has seen. */
  absorb(formId: string, print: LeadPrint, at: number): void {
    this.#seeIn(formId, print, at, nothing);
  }

  /** Forgets a lead that another process of the host has seen and not stored. */
  drop(formId: string, print: LeadPrint, at: number): void {
    this.#memoryOf(formId).drop(print, secondsOf(at));
  }

  #seeIn(formId: string, print: LeadPrint, at: number, onForgotten: () => void): Sightings {
    const memory = this.#memoryOf(formId);
    const before = memory.bytes;
    const sightings = memory.see(print, secondsOf(at), onForgotten);
    this.#recentBytes += memory.bytes - before;
    return sightings;
  }

  #memoryOf(formId: string): FormMemory {
    const memory = this.#recent.get(formId);
    return memory !== undefined && this.#recentBytes < this.#bytesMax / 2 ? memory : this.#recall(formId);
  }

  /** Idle forms are dropped in bulk, so that an active form costs a single lookup. */
  #recall(formId: string): FormMemory {
    const memory = this.#recent.get(formId) ?? this.#earlier.get(formId) ?? new FormMemory();
    if (this.#recent.size >= formsMax / 2 || this.#recentBytes >= this.#bytesMax / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(formId, memory);
    this.#recentBytes += memory.bytes;
    return memory;
  }
}

/** From this many copies on, a lead is a flood already, and no further copy is kept among the latest leads. */
const copiesKept = 2;

class FormMemory {
  readonly #bodies = new BodyCounts();
  readonly #texts = new TextMemory();
  readonly #recent = new RecentLeads();

  get bytes(): number {
    return formBytes + this.#bodies.bytes + this.#texts.bytes + this.#recent.bytes;
  }

  see(print: LeadPrint, now: number, onForgotten: () => void): Sightings {
    const { body, email, network, text, sketch, sender } = print;
    const sameBody = this.#bodies.add(body, now);
    const texts = sketch === null ? noTexts : this.#texts.see(sketch, text, sender, now);
    const [sameEmail, sameNetwork] = this.#recent.count(body, email, network, now);
    if (sameBody < copiesKept) this.#recent.add(body, email, network, now);
    const forget = () => {
      this.drop(print, now);
      onForgotten();
    };
    const { sameText, nearText, likeText, ownText } = texts;
    return { sameBody, sameText, nearText, likeText, ownText, sameEmail, sameNetwork, forget };
  }

  drop({ body, email, network, text, sketch, sender }: LeadPrint, at: number): void {
    this.#bodies.remove(body, at);
    this.#recent.remove(body, email, network, at);
    if (sketch !== null) this.#texts.remove(text, sender);
  }
}

const noTexts = { sameText: 0, nearText: 0, likeText: 0, ownText: 0 } as const;

function nothing(): void {}
