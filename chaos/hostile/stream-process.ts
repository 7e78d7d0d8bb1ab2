import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { statusOfAnswer } from '../../bench/load/answer.ts';
import type { Sample, StreamFigures, StreamOrder } from './stream.ts';

let isEnding = false;

process.once('message', async (order: StreamOrder) => {
  process.once('message', () => {
    isEnding = true;
  });
  process.send?.(await stream(order));
});

const drainMsMax = 5_000;

/** A request is timed from the moment it was due, so that a slow service cannot hide delays. */
async function stream({ warmUpSeconds = 0, ...order }: StreamOrder): Promise<StreamFigures> {
  const latencies: number[] = [];
  const samples: Sample[] = [];
  const statuses: Record<string, number> = {};
  const idle: Connection[] = Array.from({ length: order.connections }, () => new Connection(order.port));
  const waiting: (() => void)[] = [];
  const unmeasured = Math.floor(order.rate * warmUpSeconds);
  const count = unmeasured + Math.floor(order.rate * order.seconds);
  const startedAt = performance.now();
  let ended = 0;
  const send = async (number: number, dueAt: number) => {
    while (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const connection = idle.pop() as Connection;
    const status = await connection.ask(order.requests[number % order.requests.length] as string);
    if (number >= unmeasured) {
      statuses[status ?? 'none'] = (statuses[status ?? 'none'] ?? 0) + 1;
      const tookMs = performance.now() - dueAt;
      latencies.push(tookMs);
      if (order.isTraced === true) samples.push([performance.timeOrigin + dueAt, tookMs]);
    }
    idle.push(connection);
    waiting.shift()?.();
    ended++;
  };
  let begun = 0;
  for (; begun < count && !isEnding; begun++) {
    const dueAt = startedAt + (begun / order.rate) * 1000;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    void send(begun, dueAt);
  }
  for (const deadline = performance.now() + drainMsMax; ended < begun && performance.now() < deadline; )
    await sleep(10);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
  const figures = { sent: Math.max(0, begun - unmeasured), statuses, p50Ms: at(0.5), p99Ms: at(0.99) };
  return order.isTraced === true ? { ...figures, samples } : figures;
}

/** One request at a time. The connection is opened again when the service closes it. */
class Connection {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** The status, or null when the connection was closed instead. */
  ask(request: string): Promise<number | null> {
    const socket = this.#socket ?? connect(this.#port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket = socket;
    return new Promise((resolve) => {
      let received = '';
      const end = (status: number | null) => {
        socket.removeAllListeners();
        socket.on('error', () => {});
        if (status === null || /connection: close/i.test(received)) this.#socket = null;
        resolve(status);
      };
      socket.on('data', (chunk: string) => {
        received += chunk;
        const status = statusOfAnswer(received);
        if (status !== null) end(status);
      });
      socket.on('error', () => end(null)).on('close', () => end(null));
      socket.write(request, 'latin1');
    });
  }
}
