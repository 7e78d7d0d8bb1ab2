import { connect, createServer, type Server, type Socket } from 'node:net';
import { undoLater } from '../../bench/undo.ts';
import type { Random } from '../../src/time/random.ts';

/**
 * The proxy between the service and PostgreSQL:
 *   pass       bytes go through
 *   refuse     nobody listens, and every connection is reset
 *   blackhole  connections are accepted, bytes are held in both directions. When it ends they arrive, even if the service
 *              has stopped waiting, as with TCP when a network comes back. Such a request commits late, when the
 *              service has already spooled the lead or the sender has retried it
 *   slow       every response comes `delayMs` later
 *   cut        with `probability`, a request is forwarded and its connection then cut: before the response, or instead
 *              of it, when PostgreSQL has already committed
 */
export type ProxyMode =
  | { readonly kind: 'pass' | 'refuse' | 'blackhole' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'cut'; readonly probability: number };

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes in the blackhole, in order of arrival. */
  readonly held: (() => void)[];
  /** When the last delayed response is due. None may overtake it. */
  lastDueAt: number;
  cutsAnswer: boolean;
}

export class DatabaseProxy {
  readonly #target: string;
  readonly #random: Random;
  readonly #links = new Set<Link>();
  #server: Server | null = null;
  #port = 0;
  #mode: ProxyMode = { kind: 'pass' };
  /** Connections cut on purpose. */
  cuts = 0;

  private constructor(target: string, random: Random) {
    this.#target = target;
    this.#random = random;
  }

  static async create(target: string, random: Random): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target, random);
    await proxy.#listen();
    undoLater(() => proxy.close());
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  async set(mode: ProxyMode): Promise<void> {
    this.#mode = mode;
    if (mode.kind === 'refuse') return this.close();
    if (mode.kind !== 'blackhole') for (const link of this.#links) release(link);
    await this.#listen();
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const { client, server: upstream } of this.#links) {
      client.resetAndDestroy();
      upstream.destroy();
    }
    this.#links.clear();
    if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async #listen(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer({ allowHalfOpen: true }, (client) => this.#join(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as { port: number }).port;
  }

  #join(client: Socket): void {
    const server = connect({ path: this.#target, allowHalfOpen: true });
    const link: Link = { client, server, held: [], lastDueAt: 0, cutsAnswer: false };
    this.#links.add(link);
    client.setNoDelay();
    client.on('data', (bytes) => this.#forward(link, bytes));
    server.on('data', (bytes) => this.#answer(link, bytes));
    client.on('end', () => this.#pass(link, () => server.end()));
    server.on('end', () => this.#pass(link, () => client.end()));
    server.on('error', () => client.resetAndDestroy());
    // What the service sent before it closed the connection still arrives.
    client.on('error', () => this.#pass(link, () => server.end()));
    server.on('close', () => {
      this.#links.delete(link);
      client.destroy();
    });
  }

  #forward(link: Link, bytes: Buffer): void {
    const mode = this.#mode;
    if (mode.kind !== 'cut' || !this.#random.chance(mode.probability)) {
      this.#pass(link, () => link.server.write(bytes));
      return;
    }
    this.cuts++;
    link.server.write(bytes);
    if (this.#random.chance(0.5)) link.cutsAnswer = true;
    else cut(link);
  }

  #answer(link: Link, bytes: Buffer): void {
    const deliver = () => void (link.client.writable && link.client.write(bytes));
    if (link.cutsAnswer) cut(link);
    else if (this.#mode.kind === 'slow') delay(link, this.#mode.delayMs, deliver);
    else this.#pass(link, deliver);
  }

  #pass(link: Link, action: () => void): void {
    if (this.#mode.kind === 'blackhole') link.held.push(action);
    else if (link.lastDueAt > Date.now()) delay(link, 0, action);
    else action();
  }
}

function release(link: Link): void {
  for (const action of link.held.splice(0)) action();
}

function delay(link: Link, delayMs: number, action: () => void): void {
  link.lastDueAt = Math.max(link.lastDueAt, Date.now() + delayMs);
  setTimeout(action, link.lastDueAt - Date.now());
}

/** The service sees a reset. PostgreSQL sees a client leave whose request it has received. */
function cut({ client, server }: Link): void {
  client.resetAndDestroy();
  server.end();
}
