import {
  noScriptPerFormAndDayMax,
  noScriptPerNetworkAndHourMax,
} from '../../../domain/browser/protection.ts';
import { dayMs, hourMs } from '../../../time/clock.ts';
import type { FormEntry } from '../../directory/directory.ts';

/** How much forms without script may send, because nothing else stops a program there. */
export interface NoScriptLimits {
  /** Counts one, or says that it is too much. */
  take(form: FormEntry, network: string, at: number): boolean;
}

/** Hears of each form that was counted. */
type Listener = (formId: string, network: string, at: number) => void;

/** A safeguard against senders with very many addresses. */
const networksMax = 50_000;

/** In memory, for this process and what it hears of the others on its host. */
export class HostNoScriptLimits implements NoScriptLimits {
  #listener: Listener = () => {};
  readonly #networks = new Counters(hourMs, noScriptPerNetworkAndHourMax);
  readonly #forms = new Counters(dayMs, noScriptPerFormAndDayMax);

  take({ id }: FormEntry, network: string, at: number): boolean {
    const isWithin = this.#networks.hasRoom(`${id} ${network}`, at) && this.#forms.hasRoom(id, at);
    if (!isWithin) return false;
    this.#count(id, network, at);
    this.#listener(id, network, at);
    return true;
  }

  tellTo(listener: Listener): void {
    this.#listener = listener;
  }

  /** What another worker of the host has counted. */
  absorb(formId: string, network: string, at: number): void {
    this.#count(formId, network, at);
  }

  #count(formId: string, network: string, at: number): void {
    this.#networks.add(`${formId} ${network}`, at);
    this.#forms.add(formId, at);
  }
}

/** Counters that all start again with the next period. */
class Counters {
  readonly #periodMs: number;
  readonly #max: number;
  #period = 0;
  #counts = new Map<string, number>();

  constructor(periodMs: number, max: number) {
    this.#periodMs = periodMs;
    this.#max = max;
  }

  hasRoom(name: string, at: number): boolean {
    this.#turnTo(at);
    return (this.#counts.get(name) ?? 0) < this.#max;
  }

  add(name: string, at: number): void {
    this.#turnTo(at);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #turnTo(at: number): void {
    const period = Math.floor(at / this.#periodMs);
    if (period !== this.#period || this.#counts.size >= networksMax) this.#counts = new Map();
    this.#period = period;
  }
}
