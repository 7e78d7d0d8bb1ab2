import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Arrival, type FromSink, hangingPath, type ToSink } from './sink.ts';

/**
 * Receives deliveries in its own process, so that its work does not slow down the benchmark. Responds at once, except on one
 * path, where it never responds.
 */
let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  const path = request.url ?? '';
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const at = Date.now();
    const submissionId = /"submission_id":"([^"]+)"/.exec(body)?.[1] ?? '';
    arrivals.push([path, submissionId, String(request.headers['webhook-id']), at]);
    if (path !== hangingPath) response.end();
  });
});

function tell(message: FromSink): void {
  process.send?.(message);
}

process.on('message', (message: ToSink) => {
  if (message === 'count') tell({ kind: 'counted', count: arrivals.length });
  else {
    tell({ kind: 'taken', arrivals });
    arrivals = [];
  }
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () =>
  tell({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
