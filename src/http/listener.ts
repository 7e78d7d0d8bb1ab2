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
  /** Null in a process that accepts no leads: it closes their connections, so that senders try another instance. */
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
  /** Accepts no new connections, lets requests finish, then closes the remaining connections. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
// Checked once a second, so that a stalled request is closed within 15 s.
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

/** Ingest requests go directly from Node's parser to the pipeline. */
export function createListener(deps: ListenerDeps): Server {
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
    if (destination.kind === 'other') deps.rest(request, response);
    else if (destination.kind === 'retired') answerGone(response, nextRequestId());
    else if (deps.ingest === null) request.socket.destroy();
    else deps.ingest(request, response, destination);
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
