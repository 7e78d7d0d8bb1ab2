import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type Clock, secondMs } from '../time/clock.ts';
import { answerBadRequest, answerUnavailable } from './answers.ts';
import { callerOf } from './caller.ts';
import { stopServer } from './listener.ts';
import { nextRequestId } from './request-id.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ForwarderDeps {
  /** The socket of the process that serves the requests; null while there is none. */
  readonly socketPath: () => string | null;
  readonly clock: Clock;
}

// Long enough for a process that is being replaced.
const connectMsMax = 5 * secondMs;
const connectPauseMs = 50;
/** Names the address that a forwarded request came from. Only this file writes it, and senders cannot. */
const peerHeader = 'leadgate-peer';
// They concern one connection only, and Node writes its own. Trailers are not forwarded.
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'expect',
  'trailer',
  peerHeader,
]);
// Above Node's usual limit: what was accepted with a header less is accepted here too.
const forwardedHeaderBytesMax = 65_536;

/**
 * Forwards requests to another process of this host. Each has its own connection there, so that the other process sees
 * when the sender hangs up, exactly as if the sender were connected to it.
 */
export class Forwarder {
  readonly #deps: ForwarderDeps;
  readonly #streams = new Set<ServerResponse>();
  readonly #stopping = new AbortController();

  constructor(deps: ForwarderDeps) {
    this.#deps = deps;
  }

  readonly forward: RequestHandler = (request, response) => {
    void this.#connect(request.socket).then((socket) => {
      if (request.socket.destroyed) socket?.destroy();
      else if (socket === null) answerUnavailable(response, nextRequestId());
      else this.#send(request, response, socket);
    });
  };

  /** Streams would stay open as long as their readers do. Other responses are left to finish. */
  async endStreams(): Promise<void> {
    this.#stopping.abort();
    for (const response of this.#streams) response.end();
  }

  /** Null if the other process cannot be reached. Nothing was sent yet, so it is safe to try again. */
  async #connect(sender: Socket): Promise<Socket | null> {
    const { clock, socketPath } = this.#deps;
    const lastAt = clock.monotonic() + connectMsMax;
    for (;;) {
      const path = socketPath();
      const socket = path === null ? null : await connected(path);
      if (socket !== null || sender.destroyed) return socket;
      if (clock.monotonic() >= lastAt || this.#stopping.signal.aborted) return null;
      await clock.sleep(connectPauseMs, this.#stopping.signal);
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, socket: Socket): void {
    const { method, url = '', rawHeaders } = request;
    const peer = [peerHeader, request.socket.remoteAddress ?? ''];
    // Kept alive, so that a body that nobody needs is read to its end as on any other connection.
    const headers = [...peer, ...withoutConnection(rawHeaders), 'Connection', 'keep-alive'];
    let forwarded: ClientRequest;
    try {
      forwarded = requestOf({ method, path: url, headers, createConnection: () => socket });
    } catch {
      // A target or header that Node reads but does not write.
      socket.destroy();
      answerBadRequest(response, nextRequestId());
      return;
    }
    forwarded.on('response', (answer) => this.#answer(answer, response));
    // In the middle of a response, the response itself fails too.
    forwarded.on('error', () => response.headersSent || answerUnavailable(response, nextRequestId()));
    request.pipe(forwarded);
    followSender(request, response, forwarded, socket);
  }

  #answer(answer: IncomingMessage, response: ServerResponse): void {
    const { statusCode = 502, statusMessage, rawHeaders, headers } = answer;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const own = withoutConnection(rawHeaders, isChunked ? 'transfer-encoding' : null);
    // As after a body that is too large.
    if (headers.connection === 'close') response.shouldKeepAlive = false;
    response.writeHead(statusCode, statusMessage, own);
    // A stream may stay silent for long after its headers.
    response.flushHeaders();
    if (headers['content-type']?.startsWith('text/event-stream') === true) {
      this.#streams.add(response);
      response.once('close', () => this.#streams.delete(response));
      if (this.#stopping.signal.aborted) response.end();
    }
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
    });
  }
}

/** The other process must learn that the sender has hung up or left. */
function followSender(
  request: IncomingMessage,
  response: ServerResponse,
  forwarded: ClientRequest,
  socket: Socket,
): void {
  const { hungUp, ended } = callerOf(request, response);
  const hangUp = () => {
    if (forwarded.writableFinished) socket.end();
    else forwarded.once('finish', () => socket.end());
  };
  const end = () => {
    hungUp.removeEventListener('abort', hangUp);
    socket.destroy();
    // The rest of the body is read and discarded, because another request may follow it.
    request.unpipe(forwarded).resume();
  };
  if (hungUp.aborted) hangUp();
  else hungUp.addEventListener('abort', hangUp);
  if (ended.aborted) end();
  else ended.addEventListener('abort', end);
}

function connected(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(null));
  });
}

function withoutConnection(rawHeaders: readonly string[], also: string | null = null): string[] {
  return rawHeaders.filter((_, at) => {
    const name = (rawHeaders[at - (at % 2)] as string).toLowerCase();
    return !connectionHeaders.has(name) && name !== also;
  });
}

interface ForwardedListener {
  stop(): Promise<void>;
}

/** Serves what the forwarders of other processes send to this socket. */
export async function listenForForwarded(
  path: string,
  serve: RequestHandler,
  clock: Clock,
): Promise<ForwardedListener> {
  // The process that forwards has its own timeouts and limits.
  const server = createServer({
    requireHostHeader: false,
    requestTimeout: 0,
    headersTimeout: 0,
    maxHeaderSize: forwardedHeaderBytesMax,
  });
  Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: 0 });
  // The process that forwards closes the connection: closed from here, a response to an unfinished request could be lost.
  server.on('connection', (socket) => Object.assign(socket, { destroySoon: () => socket.end() }));
  server.on('request', (request, response) => {
    const address = request.headers[peerHeader];
    delete request.headers[peerHeader];
    Object.defineProperty(request.socket, 'remoteAddress', { value: address, configurable: true });
    serve(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    // Exclusive: otherwise node:cluster would open it in the supervisor and share it between workers.
    server.once('error', reject).listen({ path, exclusive: true }, resolve);
  });
  return { stop: () => stopServer(server, clock, 0) };
}
