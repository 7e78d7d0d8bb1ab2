import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { statusOfAnswer } from './answer.ts';
import { type RequestParts, requestParts } from './lead.ts';
import { type Figures, type Load, settleMs } from './load.ts';

/**
 * Keeps `connections` sockets busy, one request at a time on each, and counts complete responses until the time is up.
 * Receives a Load from its parent and sends Figures back.
 */
process.once('message', async (load: Load) => {
  process.send?.(await measure(load));
});

const reconnectPauseMs = 10;

/** Shared by all connections. Failures are counted separately, so that a broken response never looks fast. */
interface Run {
  readonly port: number;
  readonly nextRequest: () => string;
  readonly latencies: ReturnType<typeof createHistogram>;
  readonly sockets: Set<Socket>;
  readonly settled: Promise<void>;
  answers: number;
  failures: number;
  over: boolean;
}

async function measure(load: Load): Promise<Figures> {
  const run: Run = {
    port: load.port,
    nextRequest: requestSource(load),
    latencies: createHistogram(),
    sockets: new Set(),
    settled: sleep(settleMs),
    answers: 0,
    failures: 0,
    over: false,
  };
  for (let i = 0; i < load.connections; i++) open(run);
  await run.settled;
  const startedAt = performance.now();
  await sleep(load.seconds * 1000);
  run.over = true;
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of run.sockets) socket.destroy();
  return {
    requests: run.answers,
    rate: run.answers / seconds,
    p50Ms: run.latencies.percentile(50) / 1e6,
    p99Ms: run.latencies.percentile(99) / 1e6,
    failures: run.failures,
  };
}

function requestSource(load: Load): () => string {
  const parts = load.tokens.map((token, number) => requestParts(load.port, token, number));
  let sent = 0;
  return () => {
    const { plain, keyed, rest } = parts[Math.floor(Math.random() * parts.length)] as RequestParts;
    sent++;
    return sent % 2 === 0 ? plain : `${keyed}${load.runId}-${sent}${rest}`;
  };
}

function open(run: Run): void {
  const socket = connect(run.port, '127.0.0.1').setNoDelay().setEncoding('latin1');
  run.sockets.add(socket);
  let sentAt = 0;
  let received = '';
  const send = () => {
    received = '';
    sentAt = performance.now();
    socket.write(run.nextRequest(), 'latin1');
  };
  socket.once('connect', () => run.settled.then(send));
  socket.on('data', (chunk: string) => {
    received += chunk;
    const status = statusOfAnswer(received);
    if (status === null || run.over) return;
    count(run, status, performance.now() - sentAt);
    send();
  });
  // The 'close' event that follows an error is counted.
  socket.on('error', () => {});
  socket.once('close', () => reopen(run, socket));
}

function count(run: Run, status: number, latencyMs: number): void {
  run.answers++;
  if (status >= 400) run.failures++;
  run.latencies.record(Math.max(1, Math.round(latencyMs * 1e6)));
}

function reopen(run: Run, closed: Socket): void {
  run.sockets.delete(closed);
  if (run.over) return;
  run.failures++;
  setTimeout(() => run.over || open(run), reconnectPauseMs);
}
