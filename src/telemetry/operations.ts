import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { KeyDoor, KeyVisitor } from '../domain/secrets/key-door.ts';
import { type Clock, secondMs } from '../time/clock.ts';
import type { Metrics } from './metrics.ts';

export interface OperationsDeps {
  readonly metrics: Metrics;
  /** Accepts the operator key and the metrics token. */
  readonly metricsDoor: KeyDoor;
  readonly visitor: (request: IncomingMessage) => KeyVisitor;
  readonly clock: Clock;
  /** Added to every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the service cannot do its work now, or null when it can. */
  readonly notReady: () => Promise<string | null>;
}

/** /livez, /readyz and /metrics. False when the request is for something else. */
export function createOperations(deps: OperationsDeps) {
  const { notReady, headers } = deps;
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    // Probes may add a query. Without a match, the settings area would answer 200 whatever the state.
    switch (request.url?.replace(/\?.*$/s, '')) {
      case '/livez':
        send(response, 200, 'text/plain', 'alive\n', headers);
        return true;
      case '/readyz':
        void notReady().then((reason) =>
          send(response, reason === null ? 200 : 503, 'text/plain', `${reason ?? 'ready'}\n`, headers),
        );
        return true;
      case '/metrics':
        answerMetrics(request, response, deps);
        return true;
      default:
        return false;
    }
  };
}

/** A separate port for scrapers that cannot send a token. Keep it private. */
export async function listenForMetrics(host: string, port: number, metrics: Metrics) {
  const server = createServer((_request, response) => void sendMetrics(response, metrics, {}));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendMetrics(
  response: ServerResponse,
  metrics: Metrics,
  headers: OperationsDeps['headers'],
): Promise<void> {
  send(response, 200, metrics.registry.contentType, await metrics.registry.metrics(), headers);
}

function answerMetrics(request: IncomingMessage, response: ServerResponse, deps: OperationsDeps): void {
  const { metrics, metricsDoor, visitor, clock, headers } = deps;
  const verdict = metricsDoor.judge(request.headers.authorization, visitor(request), clock.now());
  if (verdict.kind === 'right') {
    void sendMetrics(response, metrics, headers);
  } else if (verdict.kind === 'limited') {
    const retryAfter = String(Math.ceil(verdict.waitMs / secondMs));
    send(response, 429, 'text/plain', 'Too many wrong keys.\n', { 'Retry-After': retryAfter, ...headers });
  } else {
    const text = 'Send the metrics token: Authorization: Bearer <METRICS_TOKEN>\n';
    send(response, 401, 'text/plain', text, { 'WWW-Authenticate': 'Bearer', ...headers });
  }
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  further: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...further }).end(body);
}
