import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { AllowList } from '../../src/net/delivery/allow-list.ts';
import { DeliveryHttp, type PostRequest } from '../../src/net/delivery/delivery-http.ts';
import { DeliveryGuard } from '../../src/net/delivery/guard.ts';
import type { DialTarget, Egress } from '../../src/net/egress.ts';
import type { Clock } from '../../src/time/clock.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { somePublicAddress, TestNames } from '../support/egress.ts';
import { certificateKey, validCertificate } from './certificates.ts';

export const someUrl = 'https://acme-public.com/leads?from=leadgate';
export const someBody = Buffer.from('{"type":"lead.accepted"}');

/** What a receiver does when a request has arrived: it gets the connection, the request and its number. */
export type Behaviour = (socket: Socket, request: string, number: number) => void;

export const respond = (text: string) => (socket: Socket) => void socket.write(text);
const ok = respond('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

/**
 * The Internet of a test, in which one server stands for every public address and says what the test wants, byte by byte.
 * The rules on which addresses are allowed are the real ones; only the last step of a connection is replaced.
 */
export class Receiver implements Egress {
  readonly names = new TestNames();
  readonly dialled: DialTarget[] = [];
  readonly requests: string[] = [];
  readonly sockets = new Set<Socket>();
  behaviour: Behaviour = ok;
  port = 0;
  /** The authority that the sender trusts. */
  trusted: string = validCertificate;
  readonly #server = createServer((socket) => this.#serve(socket));
  #tls: ReturnType<typeof createTlsServer> | null = null;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = portOf(this.#server);
    this.names.zones.set('acme-public.com', { addresses: [somePublicAddress] });
    return this;
  }

  /** From now on, connections are encrypted; before, no connection is, whatever the URL says. */
  async startTls(certificate: string): Promise<void> {
    const server = createTlsServer({ key: certificateKey, cert: certificate }, (socket) =>
      this.#serve(socket),
    );
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#tls = server;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of [this.#server, this.#tls]) {
      if (server !== null) await new Promise((resolve) => server.close(resolve));
    }
  }

  dial(target: DialTarget): Socket {
    this.dialled.push(target);
    if (this.#tls === null) return connect(this.port, '127.0.0.1');
    const servername = target.serverName ?? '';
    return connectTls({ host: '127.0.0.1', port: portOf(this.#tls), servername, ca: this.trusted });
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (head < 0 || text.length < head + 4 + length) return;
      const request = text;
      text = '';
      this.behaviour(socket, request, this.requests.push(request));
    });
  }
}

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

export interface DeliveringOptions {
  readonly allow?: string;
  readonly clock?: Clock;
  readonly isOn?: boolean;
  readonly ownPorts?: number[];
}

export function deliveringTo(egress: Egress, options: DeliveringOptions = {}): DeliveryHttp {
  const { allow = '', clock = systemClock, isOn = true, ownPorts = [] } = options;
  const guard = new DeliveryGuard({
    allow: new AllowList(allow),
    ownPorts: () => ownPorts,
    publicUrl: null,
    databasePorts: [5432],
  });
  return new DeliveryHttp({ isOn, guard, egress, clock });
}

export function someRequest(changes: Partial<PostRequest> = {}): PostRequest {
  return {
    url: someUrl,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: someBody,
    signal: new AbortController().signal,
    ...changes,
  };
}
