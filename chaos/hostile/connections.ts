import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyBytesMax } from '../../src/domain/lead/lead.ts';
import type { Instance } from '../world/instance.ts';
import { bearerHead, residentBytes } from '../world/target.ts';

const samplePauseMs = 25;
const stalledMsMax = 30_000;

export interface ConnectionFigures {
  readonly answers: readonly string[];
  /** Above the memory of the process before. */
  readonly peakBytes: number;
  readonly slowestCloseMs: number;
}

/** Bodies one byte too large, in chunks, on all connections at the same time. */
export function sendOversized(target: Instance, token: string, count: number): Promise<ConnectionFigures> {
  const size = bodyBytesMax + 1;
  const body = Buffer.alloc(size, 'a');
  const head = `${bearerHead(token)}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`;
  return withConnections(target, count, (socket) => {
    socket.write(head);
    socket.write(body);
    socket.end('\r\n0\r\n\r\n');
  });
}

/** Heads that never end and bodies that never come, half of each. */
export function stall(target: Instance, token: string, count: number): Promise<ConnectionFigures> {
  const starts = [`${bearerHead(token)}X-Slow: `, `${bearerHead(token)}Content-Length: 1000\r\n\r\n{`];
  return withConnections(target, count, (socket, number) => socket.write(starts[number % 2] as string));
}

async function withConnections(
  target: Instance,
  count: number,
  speak: (socket: Socket, number: number) => void,
): Promise<ConnectionFigures> {
  const before = residentBytes(target);
  let [open, peak, slowestCloseMs] = [count, before, 0];
  const answers: string[] = Array.from({ length: count }, () => '');
  for (let number = 0; number < count; number++) {
    let openedAt = 0;
    const socket = connect(target.port, '127.0.0.1', () => {
      openedAt = performance.now();
      speak(socket, number);
    });
    socket.on('data', (chunk) => {
      answers[number] += String(chunk);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      open--;
      slowestCloseMs = Math.max(slowestCloseMs, performance.now() - openedAt);
    });
    socket.setTimeout(stalledMsMax, () => socket.destroy());
  }
  while (open > 0) {
    peak = Math.max(peak, residentBytes(target));
    await sleep(samplePauseMs);
  }
  return { answers, peakBytes: peak - before, slowestCloseMs };
}
