import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyBytesMax } from '../domain/lead/lead.ts';
import type { Clock } from '../time/clock.ts';
import { answerGone } from './answers.ts';
import { createConnectHandler, createMalformedHandler, type MalformedDeps } from './malformed.ts';
import { type Destination, destinationOf } from './paths.ts';
import { nextRequestId } from './request-id.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ListenerDeps extends MalformedDeps {
  /** Null in a process that takes no leads: their connections are closed, so that senders go elsewhere. */
  readonly ingest:
    | ((
        request: IncomingMessage,
        response: ServerResponse,
        destination: Extract<Destination, { kind: 'server' | 'webhook' }>,
      ) => unknown)
    | null;
  readonly rest: RequestHandler;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connection, lets running requests end, then closes what is left. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
// Looked at once a second, so that a stalled request is gone within 15 s.
const requestTimeoutMs = 14_000;
const keepAliveTimeoutMs = 65_000;
const stopTimeoutMs = 8_000;
const idleSweepMs = 50;

/** The one port of the service. */
export async function listen(host: string, port: number, deps: ListenerDeps): Promise<Listener> {
  const server = createListener(deps);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, deps.clock) };
}

/** Ingest requests go straight from Node's parser to the pipeline. */
export function createListener(deps: ListenerDeps): Server {
  const server = createServer({
    // A missing Host would be a 400 of Node's own.
    requireHostHeader: false,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keepAliveTimeoutMs,
  });
  // A sender may end its side once its request is complete; what it stored must be answered all the same.
  Object.assign(server, { httpAllowHalfOpen: true });
  const route: RequestHandler = (request, response) => {
    const destination = destinationOf(request.url ?? '');
    if (destination.kind === 'other') deps.rest(request, response);
    else if (destination.kind === 'retired') answerGone(response, nextRequestId());
    else if (deps.ingest === null) request.socket.destroy();
    else deps.ingest(request, response, destination);
  };
  server.on('request', route);
  server.on('checkExpectation', route);
  server.on('checkContinue', (request, response) => {
    // A body that is announced as too large is answered instead of asked for.
    if (Number(request.headers['content-length'] ?? 0) <= bodyBytesMax) response.writeContinue();
    route(request, response);
  });
  // Node would drop the connection of a CONNECT, also on paths that answer every method.
  server.on('connect', createConnectHandler(deps));
  server.on('clientError', createMalformedHandler(deps));
  return server;
}

async function stop(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const sweep = clock.repeat(() => server.closeIdleConnections(), { pauseMs: idleSweepMs });
  const cancel = clock.deadline(stopTimeoutMs, () => server.closeAllConnections());
  await closed;
  cancel();
  await sweep.stop();
}
