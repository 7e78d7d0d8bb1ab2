import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { rawBadRequest, rawGone, rawRejected } from './answers.ts';
import { destinationOf } from './paths.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

interface ConnectionState {
  open: number;
  last: IncomingMessage;
  onSettled: (() => void) | null;
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
export class MalformedRequests {
  readonly #connections = new WeakMap<Duplex, ConnectionState>();
  readonly #onRejected: () => void;

  constructor(onRejected: () => void) {
    this.#onRejected = onRejected;
  }

  /** Every request that did parse: its answer must go out before that of a malformed one behind it. */
  track(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    let state = this.#connections.get(socket);
    if (state === undefined) {
      state = { open: 0, last: request, onSettled: null };
      this.#connections.set(socket, state);
    }
    state.open++;
    state.last = request;
    const connection = state;
    response.once('close', () => {
      connection.open--;
      connection.onSettled?.();
    });
  }

  handle(error: ParserError, socket: Duplex): void {
    if (incompleteCodes.has(error.code ?? '') || !socket.writable) {
      socket.destroy();
      return;
    }
    const state = this.#connections.get(socket);
    // The malformed request is the last one when its head was fine and its body was not.
    const broken = state !== undefined && !state.last.complete ? state.last : null;
    const answer = this.#answerTo(broken?.url ?? targetIn(error.rawPacket));
    const settle = () => {
      if (state !== undefined && state.open > (broken === null ? 0 : 1)) return;
      if (state !== undefined) state.onSettled = null;
      socket.end(answer);
      // Gives the answer time to be read: closing at once would reset the connection under it.
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
    if (state?.onSettled != null) return;
    if (state !== undefined) state.onSettled = settle;
    settle();
  }

  #answerTo(target: string | null): string {
    const requestId = randomUUID();
    const kind = target === null ? 'server' : destinationOf(target).kind;
    if (kind === 'retired') return rawGone(requestId);
    if (kind === 'other') return rawBadRequest(requestId);
    this.#onRejected();
    return rawRejected(requestId);
  }
}

/** The target of the first request line in the refused bytes, if they still hold one. */
function targetIn(packet: Buffer | undefined): string | null {
  const head = packet?.toString('latin1', 0, 2_048) ?? '';
  return /^[!-~]+ +(\/[!-~]*|https?:\/\/[!-~]*)/i.exec(head)?.[1] ?? null;
}
