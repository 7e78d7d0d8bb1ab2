/** At most so many at a time per host; the others wait in the order they came. */
export class HostLimits {
  readonly #hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  async run<T>(host: string, atOnceMax: number, work: () => Promise<T>): Promise<T> {
    const state = this.#hosts.get(host) ?? { running: 0, waiting: [] };
    this.#hosts.set(host, state);
    // Whoever ends hands its place on, so the count stays.
    if (state.running >= atOnceMax) await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.running++;
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next !== undefined) next();
      else if (--state.running === 0) this.#hosts.delete(host);
    }
  }
}
