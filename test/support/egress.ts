import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { type DialTarget, type Egress, type MailExchange, NameServiceError } from '../../src/net/egress.ts';

/** A public address that tests never reach: connections to it go to the test's own server. */
export const somePublicAddress = '93.184.215.14';

export interface Zone {
  readonly mx?: MailExchange[];
  readonly txt?: string[];
  readonly addresses?: string[];
  /** What the hosts file of this machine says. */
  readonly machineAddresses?: string[];
}

/** DNS names that a test makes up. Other names do not exist, and lookups of `failing` names fail. */
export class TestNames {
  readonly zones = new Map<string, Zone>();
  readonly failing = new Set<string>();
  readonly asked: string[] = [];

  #ask<T>(name: string, read: (zone: Zone) => T[] | undefined): Promise<T[]> {
    this.asked.push(name);
    if (this.failing.has(name))
      return Promise.reject(new NameServiceError('the name servers did not respond'));
    return Promise.resolve(read(this.zones.get(name) ?? {}) ?? []);
  }

  mailExchanges(name: string) {
    return this.#ask(name, (zone) => zone.mx);
  }

  texts(name: string) {
    return this.#ask(name, (zone) => zone.txt);
  }

  addresses(name: string) {
    return this.#ask(name, (zone) => zone.addresses);
  }

  machineAddresses(name: string) {
    return this.#ask(name, (zone) => zone.machineAddresses);
  }
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/**
 * The Internet of a test: DNS names that it makes up, and one loopback server in place of every public address. The rules
 * on which addresses are allowed are the real ones; only the final connection is redirected.
 */
export class TestInternet implements Egress {
  readonly names = new TestNames();
  readonly dialled: DialTarget[] = [];
  readonly requests: { host: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  handler: Handler = (_, response) => response.writeHead(404).end();
  readonly #server = createServer((request, response) => this.#serve(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A host that the server answers for. */
  addHost(...hosts: string[]): void {
    for (const host of hosts)
      this.names.zones.set(host, { ...this.names.zones.get(host), addresses: [somePublicAddress] });
  }

  dial(target: DialTarget): Socket {
    this.dialled.push(target);
    return connect((this.#server.address() as AddressInfo).port, '127.0.0.1');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { headers, url = '' } = request;
      this.requests.push({ host: headers.host ?? '', url, headers, body });
      this.handler(request, response, body);
    });
  }
}

/** Listens and counts connections. */
export class Canary {
  connections = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createTcpServer((socket) => {
      this.connections++;
      socket.on('error', () => {});
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n');
    });
  }

  /** False when this machine does not have the address. */
  listen(host: string, port = 0): Promise<boolean> {
    return new Promise((resolve) => {
      this.#server.once('error', () => resolve(false));
      this.#server.listen(port, host, () => resolve(true));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
