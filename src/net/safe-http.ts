import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/real-clock.ts';
import { type AnswerBody, acceptEncoding, readAnswerBody } from './answer-body.ts';
import type { Egress } from './egress.ts';
import { checkTarget } from './egress-target.ts';
import { isPublicAddress } from './public-address.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The only content types accepted. */
  readonly contentTypes: readonly string[];
  readonly bytesMax: number;
  /** How many redirects are followed; each is checked like the first URL. */
  readonly redirectsMax: number;
  /** How long the head of each response may take; without it, as long as the signal allows. */
  readonly headMsMax?: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Exclude<AnswerBody, { kind: 'encoding_unsupported' }>;
}

/** The request was not sent, or its response not read, for a reason that will not change. */
export class RefusedError extends Error {}

const userAgent = 'Leadgate/1 (reads the home pages of companies)';
const headerBytesMax = 16_384;
const connectMsMax = 2_000;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * HTTP to the public Internet only. A name is resolved once per hop, all its addresses must be public, and the connection
 * goes to one of exactly those addresses: DNS is not asked again, because it could answer differently. No cookies, no
 * proxy, no connection reuse.
 */
export class SafeHttp {
  readonly #egress: Egress;
  readonly #clock: Clock;

  constructor(egress: Egress, clock: Clock = systemClock) {
    this.#egress = egress;
    this.#clock = clock;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let target = request.url;
    let previous: URL | null = null;
    for (let hops = 0; ; hops++) {
      const url = checkHop(target, previous);
      const message = await this.#exchange(request, url);
      const { statusCode: status = 0, headers } = message;
      if (!redirectStatuses.has(status) || headers.location === undefined) {
        return { status, url, headers, body: await readAllowed(message, request) };
      }
      message.destroy();
      if (hops >= request.redirectsMax) throw new RefusedError('too many redirects');
      target = URL.canParse(headers.location, url.href)
        ? new URL(headers.location, url).href
        : headers.location;
      previous = url;
    }
  }

  async #exchange(request: HttpRequest, url: URL): Promise<IncomingMessage> {
    const { signal } = request;
    const address = await this.#publicAddress(url.hostname, signal);
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const outgoing = sendRequest(
        {
          method: request.method,
          host: url.hostname,
          path: url.pathname + url.search,
          headers: {
            host: url.hostname,
            'user-agent': userAgent,
            'accept-encoding': acceptEncoding,
            connection: 'close',
            ...request.headers,
          },
          maxHeaderSize: headerBytesMax,
          signal,
          createConnection: () =>
            this.#egress.dial({
              address,
              port: isSecure ? 443 : 80,
              serverName: isSecure ? url.hostname : null,
            }),
        },
        resolve,
      );
      limitWaiting(outgoing, request.headMsMax, this.#clock);
      outgoing.on('error', reject);
      // A protocol upgrade would leave the request hanging.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        reject(new RefusedError('the server changed the protocol'));
      });
      outgoing.end(request.body);
    });
  }

  async #publicAddress(host: string, signal: AbortSignal): Promise<string> {
    const addresses = await this.#egress.names.addresses(host, signal);
    const first = addresses[0];
    if (first === undefined) throw new RefusedError('the host has no address');
    if (!addresses.every(isPublicAddress))
      throw new RefusedError('the host has an address that is not public');
    return first;
  }
}

/** A host that accepts no connection or sends nothing must not use up the time of the whole lookup. */
function limitWaiting(outgoing: ClientRequest, headMsMax: number | undefined, clock: Clock): void {
  const giveUp = (why: string) => outgoing.destroy(new Error(why));
  const isConnecting = () => outgoing.socket?.connecting === true;
  const deadlines = [
    clock.deadline(connectMsMax, () => isConnecting() && giveUp('connection timed out')),
    ...(headMsMax === undefined ? [] : [clock.deadline(headMsMax, () => giveUp('response timed out'))]),
  ];
  const clear = () => {
    for (const cancel of deadlines) cancel();
  };
  outgoing.once('response', clear).once('close', clear);
}

function checkHop(target: string, previous: URL | null): URL {
  const url = checkTarget(target);
  if (typeof url === 'string') throw new RefusedError(url);
  if (previous?.protocol === 'https:' && url.protocol === 'http:')
    throw new RefusedError('a redirect leads away from https');
  return url;
}

async function readAllowed(message: IncomingMessage, request: HttpRequest): Promise<HttpAnswer['body']> {
  const type = message.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isRead = message.statusCode === 200 && request.contentTypes.includes(type);
  if (!isRead) {
    message.destroy();
    if (message.statusCode === 200) throw new RefusedError('unsupported content type');
    return { kind: 'cut', bytes: Buffer.alloc(0) };
  }
  const body = await readAnswerBody(message, request.bytesMax);
  if (body.kind === 'encoding_unsupported') throw new RefusedError('unsupported content encoding');
  return body;
}
