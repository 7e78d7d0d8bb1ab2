import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Behaves like nginx with `proxy_pass` and keep-alive: reads the whole request first, responds with a 502 page if the service
 * is down or disconnects before its response, disconnects the sender if it disconnects during its response, never retries a
 * POST, and closes connections after a number of requests.
 */
export interface Proxy {
  readonly url: string;
  /** How many 502 pages it has sent. */
  badGateways(): number;
  /** Resolves once this many leads got a 202. */
  accepted(count: number): Promise<void>;
  close(): void;
}

const keepaliveRequests = 25;
const page = '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>';

export async function startProxy(servicePort: number): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true });
  let [badGateways, accepted] = [0, 0];
  const waiting: { count: number; resolve: () => void }[] = [];

  const badGateway = (response: ServerResponse) => {
    badGateways++;
    response.writeHead(502, { 'Content-Type': 'text/html' }).end(page);
  };
  const passOn = (incoming: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    const options = { agent, port: servicePort, host: '127.0.0.1', method, path, headers };
    const outgoing = request(options as object, (answer) => {
      answer.on('error', () => response.destroy());
      if (answer.statusCode === 202) accepted++;
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
      for (const { count, resolve } of waiting) if (accepted >= count) resolve();
    });
    outgoing.on('error', () => (response.headersSent ? response.destroy() : badGateway(response)));
    outgoing.end(body);
  };

  const server = createServer(async (incoming, response) => {
    const chunks = await incoming.toArray().catch(() => null);
    if (chunks !== null) passOn(incoming, Buffer.concat(chunks), response);
  });
  server.maxRequestsPerSocket = keepaliveRequests;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    badGateways: () => badGateways,
    accepted: (count) =>
      new Promise((resolve) => {
        waiting.push({ count, resolve });
        if (accepted >= count) resolve();
      }),
    close: () => {
      server.close().closeAllConnections();
      agent.destroy();
    },
  };
}
