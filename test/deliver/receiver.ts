import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to each request, or never does. */
export type Behaviour = (received: Received, response: ServerResponse) => void;

export const accepts: Behaviour = (_, response) => response.writeHead(200).end('ok');
export const responds =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end();

/** What owners connect: a server on loopback that remembers what it got. */
export class Receiver {
  readonly received: Received[] = [];
  behaviour: Behaviour = accepts;
  /** Requests that got no response yet, and the most there were at the same time. */
  open = 0;
  openMax = 0;
  readonly #server = createServer((request, response) => this.#take(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/leads`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      this.open++;
      this.openMax = Math.max(this.openMax, this.open);
      response.on('close', () => this.open--);
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      this.received.push(received);
      this.behaviour(received, response);
    });
  }
}
