import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { undoLater } from '../../bench/undo.ts';
import type { Random } from '../../src/time/random.ts';
import { type Answer, fail, succeed } from './manners.ts';

/** What a receiver got with one `webhook-id`, however often. */
export interface Received {
  readonly receiver: string;
  readonly webhookId: string;
  readonly type: string | null;
  readonly submissionId: string | null;
  readonly answers: Record<Answer, number>;
  lastAt: number;
}

/** A receiver without failures shows what failures of others do to it. */
export type Temper = 'steady' | 'flaky';

interface Receiver {
  readonly temper: Temper;
  /** Null until its destination exists. */
  webhook: Webhook | null;
  /** Until then, everything fails. */
  downUntil: number;
}

const failureShare = 0.06;
const downShare = 0.002;
const downMs = [1_000, 8_000] as const;
const trap = 'trap';

/** The receivers of all destinations. They share a port and differ by the path. Their ledger is what arrived. */
export class Receivers {
  readonly #random: Random;
  readonly #log: WriteStream;
  readonly #server: Server;
  readonly #receivers = new Map<string, Receiver>();
  readonly #received = new Map<string, Received>();
  /** Requests whose signature does not match, or that were sent where nobody should send anything. */
  readonly unsigned: string[] = [];
  readonly trapped: string[] = [];
  #isCalm = false;

  private constructor(random: Random, logPath: string) {
    this.#random = random;
    this.#log = createWriteStream(logPath);
    this.#server = createServer((request, response) => void this.#receive(request, response));
    // A service that was killed leaves connections behind.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(random: Random, logPath: string): Promise<Receivers> {
    const receivers = new Receivers(random, logPath);
    await new Promise<void>((resolve) => receivers.#server.listen(0, '127.0.0.1', resolve));
    undoLater(() => receivers.close());
    return receivers;
  }

  get received(): readonly Received[] {
    return [...this.#received.values()];
  }

  /** Returns the URL for its destination. */
  add(name: string, temper: Temper): string {
    this.#receivers.set(name, { temper, webhook: null, downUntil: 0 });
    return this.#urlOf(name);
  }

  expectSecret(name: string, secret: string): void {
    (this.#receivers.get(name) as Receiver).webhook = new Webhook(secret);
  }

  /** From now on nothing fails, so that everything arrives in the end. */
  calmDown(): void {
    this.#isCalm = true;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#log.end();
  }

  #urlOf(name: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const body = await readBody(request).catch(() => null);
    // The service was killed while it sent this.
    if (body === null) return;
    const receiver = this.#receivers.get(name);
    if (receiver === undefined || receiver.webhook === null) {
      this.trapped.push(`${request.method} /${name}`);
      response.writeHead(404).end();
      return;
    }
    const event = this.#verify(receiver.webhook, request, body);
    const exchange = { request, response, random: this.#random, trapUrl: this.#urlOf(trap) };
    const answer = event === null ? succeed(exchange) : this.#respond(receiver, exchange);
    if (event !== null) this.#record(name, event, answer);
  }

  #verify(webhook: Webhook, { headers, url }: IncomingMessage, body: string): Event | null {
    try {
      const content = webhook.verify(body, headers as Record<string, string>);
      return { webhookId: String(headers['webhook-id']), ...readEvent(content as Body) };
    } catch (error) {
      this.unsigned.push(`${url} ${headers['webhook-id']}: ${(error as Error).message}`);
      return null;
    }
  }

  #respond(receiver: Receiver, exchange: Parameters<typeof succeed>[0]): Answer {
    if (this.#isCalm || receiver.temper === 'steady') return succeed(exchange);
    const now = Date.now();
    if (now > receiver.downUntil && this.#random.chance(downShare))
      receiver.downUntil = now + this.#random.between(...downMs);
    return now < receiver.downUntil || this.#random.chance(failureShare) ? fail(exchange) : succeed(exchange);
  }

  #record(receiver: string, event: Event, answer: Answer): void {
    const key = `${receiver} ${event.webhookId}`;
    const known = this.#received.get(key);
    const received = known ?? {
      receiver,
      ...event,
      answers: { accepted: 0, refused: 0, unclear: 0 },
      lastAt: 0,
    };
    if (known === undefined) this.#received.set(key, received);
    received.answers[answer]++;
    received.lastAt = Date.now();
    this.#log.write(`${JSON.stringify({ at: received.lastAt, receiver, answer, ...event })}\n`);
  }
}

type Event = Pick<Received, 'webhookId' | 'type' | 'submissionId'>;

interface About {
  readonly type?: string;
  readonly submission_id?: string;
}
interface Body extends About {
  readonly data?: About;
  readonly _leadgate?: About;
}

/** In every format but `mapped`. */
function readEvent({ type, data, _leadgate }: Body): Omit<Event, 'webhookId'> {
  return {
    type: _leadgate?.type ?? type ?? null,
    submissionId: _leadgate?.submission_id ?? data?.submission_id ?? null,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
