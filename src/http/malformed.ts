import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { rawBadRequest, rawGone, rawRejected } from './answers.ts';
import { destinationOf } from './paths.ts';
import { nextRequestId } from './request-id.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Node's own note of the response that is next to go out on a connection; null when none is under way. */
interface Connection extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

// The request did not arrive whole, or nobody listens any more: closing tells the sender to try again.
const incompleteCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'HPE_CLOSED_CONNECTION',
  'HPE_INVALID_EOF_STATE',
]);
const lingerMs = 1_000;

/**
 * Answers what Node's parser refuses. Node would say 400, 408, 413 or 431; on the ingest paths a request that
 * can never succeed gets the opaque answer, and one that did not arrive whole gets none.
 */
export function createMalformedHandler(onRejected: () => void) {
  return (error: ParserError, socket: Connection): void => {
    if (incompleteCodes.has(error.code ?? '') || !socket.writable) socket.destroy();
    else answerInTurn(socket, targetIn(error.rawPacket), onRejected);
  };
}

/** CONNECT asks for a tunnel, which nobody gets here; the ingest paths say so as they do for any method. */
export function createConnectHandler(onRejected: () => void) {
  return (request: IncomingMessage, socket: Connection): void => {
    socket.on('error', () => socket.destroy());
    const target = request.url ?? '';
    if (destinationOf(target).kind === 'other') socket.destroy();
    else answerInTurn(socket, target, onRejected);
  };
}

/** Requests before the malformed one may still wait for their answers, which go first. */
function answerInTurn(socket: Connection, target: string | null, onRejected: () => void): void {
  const next = socket._httpMessage ?? null;
  // The malformed request itself has a response when its head was fine and its body was not.
  const isItsOwn = next !== null && !next.req.complete;
  if (next === null || isItsOwn) close(socket, answerTo(next?.req.url ?? target, onRejected));
  else next.once('close', () => answerInTurn(socket, target, onRejected));
}

function answerTo(target: string | null, onRejected: () => void): string {
  const requestId = nextRequestId();
  const kind = target === null ? 'server' : destinationOf(target).kind;
  if (kind === 'retired') return rawGone(requestId);
  if (kind === 'other') return rawBadRequest(requestId);
  onRejected();
  return rawRejected(requestId);
}

function close(socket: Duplex, answer: string): void {
  if (socket.writable) socket.end(answer);
  // Gives the answer time to be read: closing at once would reset the connection under it.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** The target of the first request line in the refused bytes, if they still hold one. */
function targetIn(packet: Buffer | undefined): string | null {
  const head = packet?.toString('latin1', 0, 2_048) ?? '';
  return /^[!-~]+ +(\/[!-~]*|https?:\/\/[!-~]*)/i.exec(head)?.[1] ?? null;
}
