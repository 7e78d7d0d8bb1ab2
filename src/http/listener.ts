import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { bodyBytesMax } from '../domain/lead/lead.ts';
import type { Clock } from '../time/clock.ts';
import { answerGone, answerNotFound, keepAliveTimeoutMs } from './answers.ts';
import { answerPreflight, letPagesRead } from './cross-origin.ts';
import { createConnectHandler, createMalformedHandler, type MalformedDeps } from './malformed.ts';
import { paceConnections } from './paced/paced-connections.ts';
import { type Destination, destinationOf, isForBrowsers } from './paths.ts';
import { PlainConnections } from './plain/plain-connections.ts';
import type { PlainRequest } from './plain/plain-request.ts';
import type { Reply } from './plain/reply.ts';
import { nextRequestId } from './request-id.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Where leads arrive. */
export type LeadDestination = Extract<Destination, { kind: 'server' | 'webhook' | 'browser' | 'no-script' }>;
/** Where a page gets what it needs to send one. */
export type MintDestination = Extract<Destination, { kind: 'challenges' | 'tokens' }>;

export interface LeadHandler {
  read(request: IncomingMessage, response: ServerResponse, destination: LeadDestination): void;
  take(request: PlainRequest, reply: Reply): void;
}

export interface ListenerDeps extends MalformedDeps {
  /** Null in a process that accepts no leads: it closes their connections, so that senders try another instance. */
  readonly ingest: LeadHandler | null;
  /** Serves pages that ask for challenges and tokens; null like `ingest`. */
  readonly mint:
    | ((request: IncomingMessage, response: ServerResponse, destination: MintDestination) => unknown)
    | null;
  readonly rest: RequestHandler;
}

export interface Listener {
  readonly port: number;
  /**
   * Accepts no new connections, lets requests finish, then closes the remaining connections. `lingerMs` is for a process
   * that others replace: until then, connections stay open and close with their next response, because a request that meets
   * a closing connection would get no response.
   */
  stop(lingerMs: number): Promise<void>;
}

const headersTimeoutMs = 10_000;
// Checked once a second, so that a stalled request is closed within 15 s.
const requestTimeoutMs = 14_000;
const stopTimeoutMs = 8_000;
const idleSweepMs = 50;

export interface Place {
  readonly host: string;
  /** 0 for a port that the system chooses. */
  readonly port: number;
  /** True when other processes open the same port, and the system distributes connections between them. */
  readonly isReused?: boolean;
}

/** The one port of the service. */
export async function listen({ host, port, isReused = false }: Place, deps: ListenerDeps): Promise<Listener> {
  const { server, plain } = createListener(deps);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port, reusePort: isReused }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: (lingerMs) => stopServer(server, deps.clock, lingerMs, plain),
  };
}

/** Leads go directly from Node's parser, or past it, to the pipeline. */
export function createListener(deps: ListenerDeps): CreatedListener {
  const server = createServer({
    // Node would answer a missing Host with its own 400.
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keepAliveTimeoutMs,
  });
  // A sender may half-close the connection after its request. It still gets its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  const route: RequestHandler = (request, response) => {
    const destination = destinationOf(request.url ?? '');
    if (isForBrowsers(destination)) letPagesRead(response);
    if (isForBrowsers(destination) && request.method === 'OPTIONS') answerPreflight(response);
    else if (destination.kind === 'other' || isByBackend(destination, request)) deps.rest(request, response);
    else if (destination.kind === 'retired') answerGone(response, nextRequestId());
    else if (destination.kind === 'browser-other') answerNotFound(response, nextRequestId());
    else if (isMinting(destination)) (deps.mint ?? closeUnserved)(request, response, destination);
    else if (deps.ingest === null) closeUnserved(request);
    else deps.ingest.read(request, response, destination);
  };
  server.on('request', route);
  server.on('checkExpectation', route);
  server.on('checkContinue', (request, response) => {
    // A body that is declared too large is not requested.
    if (Number(request.headers['content-length'] ?? 0) <= bodyBytesMax) response.writeContinue();
    route(request, response);
  });
  // Node would close the connection on CONNECT, even on paths that answer every method.
  server.on('connect', createConnectHandler(deps));
  server.on('clientError', createMalformedHandler(deps));
  const { ingest, clock } = deps;
  paceConnections(server, clock);
  const plain =
    ingest === null ? null : new PlainConnections(server, { clock, take: (...lead) => ingest.take(...lead) });
  return { server, plain };
}

interface CreatedListener {
  readonly server: Server;
  /** Null in a process that accepts no leads. */
  readonly plain: PlainConnections | null;
}

function isMinting(destination: LeadDestination | MintDestination): destination is MintDestination {
  return destination.kind === 'challenges' || destination.kind === 'tokens';
}

function closeUnserved({ socket }: IncomingMessage): void {
  socket.destroy();
}

/** A customer's backend creates tokens with an API key; pages have none. */
function isByBackend({ kind }: Destination, { headers }: IncomingMessage): boolean {
  return kind === 'tokens' && headers.authorization !== undefined;
}

export async function stopServer(
  server: Server,
  clock: Clock,
  lingerMs: number,
  plain: PlainConnections | null = null,
): Promise<void> {
  // Unlike HTTP's own `close`, this leaves idle connections open.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  if (lingerMs > 0) {
    plain?.stopServing();
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    await Promise.race([clock.sleep(lingerMs), closed]);
  }
  // Ends the checks of timeouts too. It fails because the port is closed already.
  server.close(() => {});
  const closeIdle = () => {
    server.closeIdleConnections();
    plain?.closeIdle();
  };
  const sweep = clock.repeat(closeIdle, { pauseMs: idleSweepMs });
  const cancel = clock.deadline(stopTimeoutMs, () => {
    server.closeAllConnections();
    plain?.closeAll();
  });
  await closed;
  cancel();
  await sweep.stop();
}
