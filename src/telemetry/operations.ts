import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { operatorKeyCheck } from '../domain/operator-key.ts';
import type { Metrics } from './metrics.ts';

export interface OperationsDeps {
  readonly metrics: Metrics;
  readonly operatorKey: string;
  /** Why the service cannot do its work right now, or null when it can. */
  readonly notReady: () => Promise<string | null>;
}

/** /livez, /readyz and /metrics. False when the request is for something else. */
export function createOperations({ metrics, operatorKey, notReady }: OperationsDeps) {
  const check = operatorKeyCheck(operatorKey);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    // Probes add queries of their own; without their path the settings area would answer 200 whatever the state.
    switch (request.url?.replace(/\?.*$/s, '')) {
      case '/livez':
        send(response, 200, 'text/plain', 'alive\n');
        return true;
      case '/readyz':
        void notReady().then((reason) =>
          send(response, reason === null ? 200 : 503, 'text/plain', `${reason ?? 'ready'}\n`),
        );
        return true;
      case '/metrics':
        if (check(request.headers.authorization) === 'right') void sendMetrics(response, metrics);
        else refuse(response);
        return true;
      default:
        return false;
    }
  };
}

/** A port of its own for scrapers that cannot send the operator key; keep it inside. */
export async function listenForMetrics(host: string, port: number, metrics: Metrics) {
  const server = createServer((_request, response) => void sendMetrics(response, metrics));
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

async function sendMetrics(response: ServerResponse, metrics: Metrics): Promise<void> {
  send(response, 200, metrics.registry.contentType, await metrics.registry.metrics());
}

function refuse(response: ServerResponse): void {
  const text = 'Send the operator key: Authorization: Bearer <operator key>\n';
  send(response, 401, 'text/plain', text, { 'WWW-Authenticate': 'Bearer' });
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  further: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...further }).end(body);
}
