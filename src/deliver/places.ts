interface Waiter {
  readonly held: () => number;
  readonly grant: (isGranted: boolean) => void;
}

/**
 * How many requests one instance has in progress. Lines wait in one queue and ask for one place at a time, so they take
 * turns. The last places are only for lines that have none, so that slow receivers cannot take all of them.
 */
export class Places {
  readonly #reserved: number;
  #free: number;
  readonly #total: number;
  readonly #waiting = new Set<Waiter>();

  constructor(total: number, reserved: number) {
    this.#total = total;
    this.#free = total;
    this.#reserved = reserved;
  }

  get taken(): number {
    return this.#total - this.#free;
  }

  /** `held` says how many the line has when it is its turn. False when the signal came first. */
  take(held: () => number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const abort = () => waiter.grant(false);
      const waiter: Waiter = {
        held,
        grant: (isGranted) => {
          this.#waiting.delete(waiter);
          signal.removeEventListener('abort', abort);
          resolve(isGranted);
        },
      };
      signal.addEventListener('abort', abort);
      this.#waiting.add(waiter);
      this.#grantAll();
    });
  }

  free(): void {
    this.#free++;
    this.#grantAll();
  }

  #grantAll(): void {
    for (const waiter of this.#waiting) {
      if (this.#free === 0) return;
      if (waiter.held() > 0 && this.#free <= this.#reserved) continue;
      this.#free--;
      waiter.grant(true);
    }
  }
}
