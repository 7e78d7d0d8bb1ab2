import { connect } from 'node:net';
import { statusOfAnswer } from '../../bench/load/answer.ts';
import { Random } from '../../src/time/random.ts';

/** Two kinds of requests that an outsider must not be able to distinguish. */
export interface Pair {
  readonly name: string;
  /** Created again from time to time, because signatures expire. Both must have the same length. */
  readonly requests: () => readonly [string, string];
}

export interface PairSamples {
  /** Microseconds from the first byte sent to the last received. */
  readonly micros: readonly [number[], number[]];
  /** The distinct responses of each kind, without what varies from request to request. */
  readonly answers: readonly [Set<string>, Set<string>];
}

const warmUpRequestsMax = 2_000;
const renewalRequests = 500;

/**
 * One connection, one request at a time, both kinds mixed at random: changes in the speed of the machine affect both
 * equally.
 */
export async function takeSamples(
  port: number,
  pair: Pair,
  count: number,
  seed: number,
): Promise<PairSamples> {
  const random = new Random(seed);
  const client = await Client.connect(port);
  const samples: PairSamples = { micros: [[], []], answers: [new Set(), new Set()] };
  const warmUpRequests = Math.min(warmUpRequestsMax, count);
  let requests = pair.requests();
  for (let number = 0; Math.min(...samples.micros.map(({ length }) => length)) < count; number++) {
    if (number % renewalRequests === 0) requests = pair.requests();
    const kind = random.chance(0.5) ? 1 : 0;
    const startedAt = process.hrtime.bigint();
    const answer = await client.ask(requests[kind]);
    const elapsed = Number(process.hrtime.bigint() - startedAt) / 1000;
    if (number < warmUpRequests) continue;
    samples.micros[kind].push(elapsed);
    samples.answers[kind].add(answer.replace(/\r\n(?:Date|X-Request-Id): [^\r]*/gi, ''));
  }
  client.close();
  return samples;
}

class Client {
  readonly #socket;
  #received = '';
  #resolve: (answer: string) => void = () => {};

  private constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => {
      this.#received += chunk;
      if (statusOfAnswer(this.#received) !== null) this.#resolve(this.#received);
    });
  }

  static async connect(port: number): Promise<Client> {
    const client = new Client(port);
    await new Promise((resolve, reject) => {
      client.#socket.once('connect', resolve).once('error', reject);
    });
    return client;
  }

  ask(request: string): Promise<string> {
    this.#received = '';
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
