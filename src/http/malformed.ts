import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../time/clock.ts';
import { rawBadRequest, rawGone, rawRejected } from './answers.ts';
import { destinationOf } from './paths.ts';
import { nextRequestId } from './request-id.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were read last, not those of the whole request. */
  readonly rawPacket?: Buffer;
}

/** A connection of Node's HTTP server, with Node's own notes on it. */
interface Connection extends Duplex {
  readonly bytesRead?: number;
  readonly bytesWritten?: number;
  /** The response that is next to go out; null when none is under way. */
  readonly _httpMessage?: ServerResponse | null;
  /** `incoming` is the last request whose head could be read; null once it is complete and answered. */
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

export interface MalformedDeps {
  readonly clock: Clock;
  /** Called for what is answered as a rejection. */
  readonly onMalformed: () => void;
}

/** Null: the connection closes without an answer. */
type Answer = 'rejected' | 'gone' | 'bad request' | null;

// Nobody listens any more, or has sent nothing for too long.
const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ERR_HTTP_REQUEST_TIMEOUT']);
// The request did not arrive whole, or came after one that was announced as the last: closing tells the sender to try again.
const incompleteCodes = new Set(['HPE_CLOSED_CONNECTION', 'HPE_INVALID_EOF_STATE']);
const lingerMs = 1_000;

/**
 * Answers what Node's parser refuses. Node would say 400, 408, 413 or 431; on the ingest paths a request that
 * can never succeed gets the opaque answer, and one that did not arrive whole gets none. Nor does one whose path is not
 * known for certain: on a new connection, its sender learns more.
 */
export function createMalformedHandler(deps: MalformedDeps) {
  // Node reports every further packet of a connection that it has given up.
  const refused = new WeakSet<Connection>();
  return (error: ParserError, socket: Connection): void => {
    if (lostCodes.has(error.code ?? '')) {
      socket.destroy();
    } else if (!refused.has(socket)) {
      refused.add(socket);
      const own = unfinishedRequest(socket);
      const answer = incompleteCodes.has(error.code ?? '') ? null : answerFor(error, socket, own);
      closeInTurn(socket, own, answer, deps);
    }
  };
}

/** CONNECT asks for a tunnel, which nobody gets here; the ingest paths say so as they do for any method. */
export function createConnectHandler(deps: MalformedDeps) {
  return (request: IncomingMessage, socket: Connection): void => {
    socket.on('error', () => socket.destroy());
    closeInTurn(socket, null, ingestAnswer(request.url ?? ''), deps);
  };
}

/** The request that the malformed bytes belong to when its head was fine and its body is not. */
function unfinishedRequest({ parser }: Connection): IncomingMessage | null {
  const last = parser?.incoming ?? null;
  return last === null || last.complete ? null : last;
}

function answerFor(error: ParserError, socket: Connection, own: IncomingMessage | null): Answer {
  const start = firstRequestIn(error, socket, own);
  const target = own?.url ?? targetAtStart.exec(start)?.[1];
  if (target === undefined) return null;
  return ingestAnswer(target) ?? (requestLineAtStart.test(start) ? 'bad request' : null);
}

/**
 * Where a request begins is only known of the first on a connection, and its bytes are only at hand while they are in
 * one packet: '' for all others. A request before it has an answer, which is written or under way.
 */
function firstRequestIn({ rawPacket }: ParserError, socket: Connection, own: IncomingMessage | null): string {
  const { bytesRead, bytesWritten, parser, _httpMessage: next } = socket;
  const isFirstPacket = rawPacket !== undefined && bytesRead === rawPacket.length && bytesWritten === 0;
  const isFirstRequest = own === null ? parser?.incoming == null : next?.req === own;
  return isFirstPacket && isFirstRequest ? rawPacket.toString('latin1') : '';
}

// Generous: whatever stands before it, this is the path that the sender meant. It must end inside the packet.
const targetAtStart = /^[\r\n ]*[^\r\n ]+ +(\/[!-~]*|https?:\/\/[!-~]*)[^!-~]/i;
// Strict: whoever reads the answer to this must have sent HTTP to another path.
const requestLineAtStart = /^(?:\r?\n)*[!-~]+ (?:\/|https?:\/\/)[!-~]* HTTP\/[\d.]+\r?\n/;

function ingestAnswer(target: string): Answer {
  const { kind } = destinationOf(target);
  if (kind === 'other') return null;
  return kind === 'retired' ? 'gone' : 'rejected';
}

/** Requests before the malformed one may still wait for their answers, which go first. */
function closeInTurn(
  socket: Connection,
  own: IncomingMessage | null,
  answer: Answer,
  deps: MalformedDeps,
): void {
  const next = socket._httpMessage ?? null;
  // A request that has begun and has no response any more was answered before its end.
  if (next === null) close(socket, own === null ? answer : null, deps);
  else if (next.req === own && !next.headersSent) close(socket, answer, deps);
  else next.once('close', () => closeInTurn(socket, own, answer, deps));
}

function close(socket: Duplex, answer: Answer, { onMalformed, clock }: MalformedDeps): void {
  if (socket.writable) {
    if (answer === 'rejected') onMalformed();
    if (answer === null) socket.end();
    else socket.end(rawAnswers[answer](nextRequestId()));
  }
  // Gives the answers time to be read: closing at once would reset the connection under them.
  socket.once(
    'close',
    clock.deadline(lingerMs, () => socket.destroy()),
  );
}

const rawAnswers = { rejected: rawRejected, gone: rawGone, 'bad request': rawBadRequest };
