import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type Clock, secondMs } from '../time/clock.ts';
import { answerBadRequest, answerUnavailable } from './answers.ts';
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
// They concern one connection only, and Node writes its own.
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'expect', peerHeader]);

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
    const headers = [...withoutConnection(rawHeaders), ...peer, 'Connection', 'close'];
    let forwarded: ReturnType<typeof requestOf>;
    try {
      forwarded = requestOf({ method, path: url, headers, createConnection: () => socket });
    } catch {
      // A target or header that Node reads but does not write.
      socket.destroy();
      answerBadRequest(response, nextRequestId());
      return;
    }
    followSender(request, socket);
    response.once('close', () => socket.destroy());
    forwarded.on('response', (answer) => this.#answer(answer, response));
    forwarded.on('error', () => {
      if (response.headersSent) response.destroy();
      else answerUnavailable(response, nextRequestId());
    });
    pipeline(request, forwarded, () => {});
  }

  #answer(answer: IncomingMessage, response: ServerResponse): void {
    const { statusCode = 502, statusMessage, rawHeaders, headers } = answer;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const own = withoutConnection(rawHeaders, isChunked ? 'transfer-encoding' : null);
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
function followSender({ socket: sender }: IncomingMessage, socket: Socket): void {
  const hangUp = () => socket.end();
  const leave = () => socket.destroy();
  sender.once('end', hangUp).once('close', leave);
  socket.once('close', () => sender.off('end', hangUp).off('close', leave));
  if (sender.readableEnded) hangUp();
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
  // The process that forwards has its own timeouts.
  const server = createServer({ requireHostHeader: false, requestTimeout: 0, headersTimeout: 0 });
  Object.assign(server, { httpAllowHalfOpen: true });
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
