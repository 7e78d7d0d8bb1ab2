import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyBytesMax } from '../../src/domain/lead/lead.ts';
import type { Instance } from '../world/instance.ts';
import { bearerHead, bearerRequest, residentBytes } from '../world/target.ts';

const samplePauseMs = 25;
const stalledMsMax = 30_000;
/** Half as many as are allowed, so that a busy machine reads them in time. */
const chunksOfOne = 16_000;
const packetsOfOne = 1_000;
const dripPauseMs = 2;

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

/** Bodies in pieces of one byte: in half of them each piece is a chunk, in the others a packet. */
export function sendInPieces(target: Instance, token: string, count: number): Promise<ConnectionFigures> {
  const chunked = `${bearerHead(token)}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(chunksOfOne)}0\r\n\r\n`;
  const body = 'a'.repeat(packetsOfOne);
  return withConnections(target, count, (socket, number) => {
    if (number % 2 === 0) socket.end(chunked);
    else void drip(socket, `${bearerHead(token)}Content-Length: ${body.length}\r\n\r\n`, body);
  });
}

async function drip(socket: Socket, start: string, body: string): Promise<void> {
  socket.setNoDelay();
  socket.write(start);
  for (const byte of body) {
    if (socket.destroyed) return;
    socket.write(byte);
    await sleep(dripPauseMs);
  }
  socket.end();
}

/** Requests that are rejected, without waiting for the responses. */
export function sendPipelined(target: Instance, count: number, requests: number): Promise<ConnectionFigures> {
  const bytes = bearerRequest('ingt_srv_unknown').repeat(requests);
  return withConnections(target, count, (socket) => socket.end(bytes));
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
