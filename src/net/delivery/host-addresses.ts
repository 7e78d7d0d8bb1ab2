import type { Clock } from '../../time/clock.ts';
import { type NameService, NameServiceError } from '../egress.ts';

/** `machine` also reads the hosts file of this machine, for hosts that the operator named. */
export type NameSource = 'dns' | 'machine';

interface Entry {
  readonly reply: Promise<readonly string[]>;
  readonly since: number;
}

const keptMs = 30_000;
const replyMsMax = 5_000;
const entriesMax = 1_000;

/** Resolves each host at most once in half a minute, for all deliveries to it. Failures are not kept. */
export class HostAddresses {
  readonly #names: NameService;
  readonly #clock: Clock;
  /** In the order of their age. */
  readonly #entries = new Map<string, Entry>();

  constructor(names: NameService, clock: Clock) {
    this.#names = names;
    this.#clock = clock;
  }

  /** Rejects with a NameServiceError if nobody knows. */
  of(host: string, source: NameSource): Promise<readonly string[]> {
    const key = `${source} ${host}`;
    const known = this.#entries.get(key);
    const now = this.#clock.monotonic();
    if (known !== undefined && now - known.since < keptMs) return known.reply;
    const entry = { reply: this.#ask(host, source), since: now };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= entriesMax) break;
      this.#entries.delete(oldest);
    }
    const drop = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.reply.then((addresses) => addresses.length === 0 && drop(), drop);
    return entry.reply;
  }

  /** The next delivery asks again, for example because no connection was possible. */
  forget(host: string, source: NameSource): void {
    this.#entries.delete(`${source} ${host}`);
  }

  #ask(host: string, source: NameSource): Promise<readonly string[]> {
    const late = new AbortController();
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.deadline(replyMsMax, () => {
        late.abort();
        reject(new NameServiceError('the name servers did not respond in time'));
      });
      const reply =
        source === 'dns' ? this.#names.addresses(host, late.signal) : this.#names.machineAddresses(host);
      void reply.then(resolve, reject).finally(cancel);
    });
  }
}
