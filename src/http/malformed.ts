import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Surface, surfaces } from '../domain/surface.ts';
import type { Clock } from '../time/clock.ts';
import { rawBadRequest, rawGone, rawRefused, rawRejected, rawRejectedForPages } from './answers.ts';
import { destinationOf } from './paths.ts';
import { nextRequestId } from './request-id.ts';

interface ParserError extends Error {
  readonly code?: string;
}

/** A connection of Node's HTTP server, with Node's internal properties. */
interface Connection extends Duplex {
  readonly bytesWritten?: number;
  /** The first one of the connection, until all of it is parsed. */
  readonly packet?: Buffer | null;
  /** The next response to send; null when there is none. */
  readonly _httpMessage?: ServerResponse | null;
  /** `incoming` is the last request whose head was parsed; null once it is complete and answered. */
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

export interface MalformedDeps {
  readonly clock: Clock;
  /** Called for each rejection, with the surface that the request was for and the ID in its response. */
  readonly onMalformed: (surface: Surface, requestId: string) => void;
}

/** A surface stands for its rejection. Null: the connection closes without a response. */
type Answer = Surface | 'refused' | 'gone' | 'bad request' | null;

// The sender has left, or has sent nothing for too long.
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ERR_HTTP_REQUEST_TIMEOUT']);
// The request is incomplete, or came after one with "Connection: close". Closing tells the sender to try again.
const incompleteCodes = new Set(['HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE']);
const lingerMs = 1_000;

/**
 * Answers what Node's parser refuses. Node would send 400, 408, 413 or 431. On the ingest paths, a request that can
 * never succeed gets the opaque rejection. An incomplete request gets no response, nor does one whose path is uncertain:
 * a retry on a new connection gets a clear one.
 */
export function createMalformedHandler(deps: MalformedDeps) {
  // Node reports every further packet on a connection after a parse error.
  const refused = new WeakSet<Connection>();
  return (error: ParserError, socket: Connection): void => {
    if (lostCodes.has(error.code ?? '')) {
      socket.destroy();
    } else if (!refused.has(socket)) {
      refused.add(socket);
      const own = unfinishedRequest(socket);
      const answer = incompleteCodes.has(error.code ?? '') ? null : answerFor(socket, own);
      closeInTurn(socket, own, answer, deps);
    }
  };
}

/** There are no tunnels here: the ingest paths reject CONNECT like any other wrong method. */
export function createConnectHandler(deps: MalformedDeps) {
  return (request: IncomingMessage, socket: Connection): void => {
    socket.on('error', () => socket.destroy());
    closeInTurn(socket, null, ingestAnswer(request.url ?? ''), deps);
  };
}

/** The request whose body is malformed; null when it is the head. */
function unfinishedRequest({ parser }: Connection): IncomingMessage | null {
  const last = parser?.incoming ?? null;
  return last === null || last.complete ? null : last;
}

function answerFor(socket: Connection, own: IncomingMessage | null): Answer {
  const start = firstRequestIn(socket, own);
  const target = own?.url ?? targetAtStart.exec(start)?.[1];
  if (target === undefined) return null;
  return ingestAnswer(target) ?? (requestLineAtStart.test(start) ? 'bad request' : null);
}

/**
 * The text of the first request on a connection, if all of it is in one packet; otherwise ''. For later requests it is
 * unknown where they start. A request is not the first if a response has been written or is pending.
 */
function firstRequestIn(socket: Connection, own: IncomingMessage | null): string {
  const { bytesWritten, parser, packet = null, _httpMessage: next } = socket;
  const isFirstRequest = own === null ? parser?.incoming == null : next?.req === own;
  return isFirstRequest && bytesWritten === 0 ? (packet?.toString('latin1') ?? '') : '';
}

// Lenient: finds the path that the sender meant. It must end inside the packet.
const targetAtStart = /^[\r\n ]*[^\r\n ]+ +(\/[!-~]*|https?:\/\/[!-~]*)[^!-~]/i;
// Strict: only a sender of HTTP to another path may get this response.
const requestLineAtStart = /^(?:\r?\n)*[!-~]+ (?:\/|https?:\/\/)[!-~]* HTTP\/[\d.]+\r?\n/;

function ingestAnswer(target: string): Answer {
  const destination = destinationOf(target);
  switch (destination.kind) {
    case 'server':
    case 'webhook':
    case 'browser':
      return destination.kind;
    case 'retired':
      return 'gone';
    case 'other':
      return null;
    default:
      return 'refused';
  }
}

/** Responses to earlier requests go first. */
function closeInTurn(
  socket: Connection,
  own: IncomingMessage | null,
  answer: Answer,
  deps: MalformedDeps,
): void {
  const next = socket._httpMessage ?? null;
  // A request without a response object was answered before its body ended.
  if (next === null) close(socket, own === null ? answer : null, deps);
  else if (next.req === own && !next.headersSent) close(socket, answer, deps);
  else next.once('close', () => closeInTurn(socket, own, answer, deps));
}

function close(socket: Duplex, answer: Answer, { onMalformed, clock }: MalformedDeps): void {
  if (socket.writable) {
    const requestId = nextRequestId();
    if (isSurface(answer)) onMalformed(answer, requestId);
    if (answer === null) socket.end();
    else socket.end(rawAnswers[answer](requestId));
  }
  // Leaves time to read the responses: closing immediately would reset the connection.
  socket.once(
    'close',
    clock.deadline(lingerMs, () => socket.destroy()),
  );
}

function isSurface(answer: Answer): answer is Surface {
  return surfaces.some((surface) => surface === answer);
}

const rawAnswers = {
  server: rawRejected,
  webhook: rawRejected,
  browser: rawRejectedForPages,
  refused: rawRefused,
  gone: rawGone,
  'bad request': rawBadRequest,
};
