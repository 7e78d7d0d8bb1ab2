import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { rawBadRequest, rawGone, rawRejected } from './answers.ts';
import { destinationOf } from './paths.ts';
import { nextRequestId } from './request-id.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The last two requests of a connection; answers go out in order, so no older one can be pending alone. */
interface ConnectionState {
  last: Exchange;
  previous: Exchange | null;
  isClosing: boolean;
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
    const state = this.#connections.get(request.socket);
    if (state === undefined) {
      const last = { request, response };
      this.#connections.set(request.socket, { last, previous: null, isClosing: false });
    } else {
      state.previous = state.last;
      state.last = { request, response };
    }
  }

  handle(error: ParserError, socket: Duplex): void {
    if (incompleteCodes.has(error.code ?? '') || !socket.writable) {
      socket.destroy();
      return;
    }
    const state = this.#connections.get(socket);
    if (state?.isClosing === true) return;
    if (state !== undefined) state.isClosing = true;
    // The malformed request is the last one when its head was fine and its body was not.
    const broken = state !== undefined && !state.last.request.complete ? state.last : null;
    const pending = broken === null ? state?.last : state?.previous;
    const answer = this.#answerTo(broken?.request.url ?? targetIn(error.rawPacket));
    if (pending == null || pending.response.writableFinished) close(socket, answer);
    else pending.response.once('close', () => close(socket, answer));
  }

  #answerTo(target: string | null): string {
    const requestId = nextRequestId();
    const kind = target === null ? 'server' : destinationOf(target).kind;
    if (kind === 'retired') return rawGone(requestId);
    if (kind === 'other') return rawBadRequest(requestId);
    this.#onRejected();
    return rawRejected(requestId);
  }
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
