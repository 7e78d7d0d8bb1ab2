import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { KeyDoor, KeyVisitor } from '../domain/secrets/key-door.ts';
import { type Clock, secondMs } from '../time/clock.ts';
import type { MetricsText } from './host/metrics-text.ts';
import { answerProbe, type ProbesDeps, pathWithoutQuery, sendText } from './probes.ts';

export interface OperationsDeps extends ProbesDeps {
  readonly metrics: MetricsText;
  /** Accepts the operator key and the metrics token. */
  readonly metricsDoor: KeyDoor;
  readonly visitor: (request: IncomingMessage) => KeyVisitor;
  readonly clock: Clock;
}

/** /livez, /readyz and /metrics. False when the request is for something else. */
export function createOperations(deps: OperationsDeps) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (answerProbe(request, response, deps)) return true;
    if (pathWithoutQuery(request) !== '/metrics') return false;
    answerMetrics(request, response, deps);
    return true;
  };
}

/** A separate port for scrapers that cannot send a token. Keep it private. */
export async function listenForMetrics(host: string, port: number, metrics: MetricsText) {
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
  metrics: MetricsText,
  headers: OperationsDeps['headers'],
): Promise<void> {
  try {
    sendText(response, 200, await metrics.text(), { 'Content-Type': metrics.contentType, ...headers });
  } catch {
    // The supervisor has stopped or does not respond. Incomplete metrics would look like a restart.
    sendText(response, 503, 'The supervisor does not respond.\n', headers);
  }
}

function answerMetrics(request: IncomingMessage, response: ServerResponse, deps: OperationsDeps): void {
  const { metrics, metricsDoor, visitor, clock, headers } = deps;
  const verdict = metricsDoor.judge(request.headers.authorization, visitor(request), clock.now());
  if (verdict.kind === 'right') {
    void sendMetrics(response, metrics, headers);
  } else if (verdict.kind === 'limited') {
    const retryAfter = String(Math.ceil(verdict.waitMs / secondMs));
    sendText(response, 429, 'Too many wrong keys.\n', { 'Retry-After': retryAfter, ...headers });
  } else {
    const text = 'Send the metrics token: Authorization: Bearer <METRICS_TOKEN>\n';
    sendText(response, 401, text, { 'WWW-Authenticate': 'Bearer', ...headers });
  }
}
