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
    switch (request.url) {
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
        else
          send(response, 401, 'text/plain', 'Send the operator key: Authorization: Bearer <operator key>\n');
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

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
