import { type IncomingMessage, request as sendRequest } from 'node:http';
import { type Clock, dayMs, secondMs } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { readAnswerBody } from '../answer-body.ts';
import { type Egress, NameServiceError } from '../egress.ts';
import { retryAfterMs } from '../retry-after.ts';
import { type Failure, failureOf } from './failure-text.ts';
import {
  type CheckedAddress,
  type DeliveryGuard,
  type DeliveryTarget,
  type UrlRefusal,
  urlRefusals,
} from './guard.ts';
import { HostAddresses, type NameSource } from './host-addresses.ts';
import { PinnedAgent, type PinnedRequest } from './pinned-agent.ts';
import { apiLimits, headLimits, readHead } from './response-head.ts';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Ends the delivery early. What became of it is unknown then. */
  readonly signal: AbortSignal;
  /** True if owners cannot choose the URL. Then more of the response is kept, wherever it comes from. */
  readonly isFixedUrl?: boolean;
}

/** To a URL that owners cannot choose, because they may read the whole response. */
export interface GetRequest extends Omit<PostRequest, 'body' | 'isFixedUrl'> {
  readonly bytesMax: number;
}

interface Answer {
  readonly status: number;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | null;
}

interface PostAnswer extends Answer {
  /** The beginning of the response, for its owner; null if the operator opened the target, which may be inside a network. */
  readonly head: Buffer | null;
}

interface GetAnswer extends Answer {
  readonly body: Buffer;
}

export type PostResult = (PostAnswer | Failure) & { readonly ms: number };
export type GetResult = GetAnswer | Failure;

/** A request with how its response is read. */
interface Exchange<Read extends Answer> extends Omit<PostRequest, 'body' | 'isFixedUrl'> {
  readonly method: 'POST' | 'GET';
  readonly body: Buffer | null;
  read(message: IncomingMessage, isListed: boolean): Promise<Read | Failure>;
}

export interface DeliveryHttpDeps {
  /** False if the operator turned deliveries off. */
  readonly isOn: boolean;
  readonly guard: DeliveryGuard;
  readonly egress: Egress;
  readonly clock?: Clock;
}

const sendMsMax = 15 * secondMs;
const headerBytesMax = 16_384;
const statusMax = 599;
const userAgent = 'Leadgate/1 (delivers leads)';

const turnedOff: Failure = {
  failure: 'network_off',
  text: 'The operator of this service has turned off deliveries, with DELIVER_NETWORK.',
};
const interrupted: Failure = { failure: 'reset', text: 'The delivery was interrupted.' };
const noNames: Failure = { failure: 'dns', text: 'The name servers did not respond.' };
const noAddress: Failure = { failure: 'dns', text: 'The host name does not exist, or has no IP address.' };
const noRequest: Failure = {
  failure: 'connect',
  text: 'The request cannot be sent. Check the headers of the destination.',
};
const noConnection: Failure = { failure: 'timeout', text: 'The host did not accept a connection in time.' };
const noResponse: Failure = { failure: 'timeout', text: 'The host did not respond within 15 seconds.' };
const noHttp: Failure = { failure: 'invalid_response', text: 'The response is not valid HTTP.' };
const tooLong: Failure = { failure: 'invalid_response', text: 'The response is too long.' };
const broken: Failure = {
  failure: 'reset',
  text: 'The host closed the connection before it responded fully.',
};

/**
 * Sends leads to the URLs of owners. A name is resolved once, all its addresses are checked, and the connection goes to one
 * of exactly those. Redirects are not followed. Every way to fail is a result; nothing throws.
 */
export class DeliveryHttp {
  readonly #isOn: boolean;
  readonly #guard: DeliveryGuard;
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #addresses: HostAddresses;
  readonly #agent: PinnedAgent;

  constructor({ isOn, guard, egress, clock = systemClock }: DeliveryHttpDeps) {
    this.#isOn = isOn;
    this.#guard = guard;
    this.#egress = egress;
    this.#clock = clock;
    this.#addresses = new HostAddresses(egress.names, clock);
    this.#agent = new PinnedAgent(egress);
  }

  /** Closes the connections that no delivery uses, once all deliveries have ended. */
  stop(): void {
    this.#agent.destroy();
  }

  /** Why leads would not be sent to a URL; null if they would. A name that does not resolve yet is no reason. */
  async refusal(url: string): Promise<UrlRefusal | null> {
    const target = this.#guard.check(url);
    if (typeof target === 'string') return target;
    const addresses = this.#isOn ? await this.#resolve(target) : [];
    if ('failure' in addresses || addresses.length === 0) return null;
    const place = this.#guard.checkAddresses(target, addresses);
    return typeof place === 'string' ? place : null;
  }

  async post({ isFixedUrl = false, ...request }: PostRequest): Promise<PostResult> {
    const startedAt = this.#clock.monotonic();
    const result = await this.#send<PostAnswer>({
      ...request,
      method: 'POST',
      read: async (message, isListed) => {
        const head = await readHead(message, isFixedUrl ? apiLimits : headLimits);
        return { ...this.#answer(message), head: isListed && !isFixedUrl ? null : head };
      },
    });
    return { ...result, ms: Math.round(this.#clock.monotonic() - startedAt) };
  }

  async get({ bytesMax, ...request }: GetRequest): Promise<GetResult> {
    return this.#send<GetAnswer>({
      ...request,
      method: 'GET',
      body: null,
      read: async (message) => {
        const body = await readAnswerBody(message, bytesMax).catch(() => null);
        if (body === null) return broken;
        return body.kind === 'whole' ? { ...this.#answer(message), body: body.bytes } : tooLong;
      },
    });
  }

  async #send<Read extends Answer>(request: Exchange<Read>): Promise<Read | Failure> {
    const startedAt = this.#clock.monotonic();
    const msLeft = () => Math.max(0, sendMsMax - (this.#clock.monotonic() - startedAt));
    if (!this.#isOn) return turnedOff;
    const target = this.#guard.check(request.url);
    if (typeof target === 'string') return refused(target);
    const addresses = await unlessAborted(request.signal, this.#resolve(target));
    if ('failure' in addresses) return addresses;
    const place = this.#guard.checkAddresses(target, addresses);
    if (typeof place === 'string') return refused(place);
    const result = await this.#exchange(request, target, place, msLeft(), false);
    // The receiver closed the connection while it was idle, and this request came too late.
    const last = result === 'stale' ? await this.#exchange(request, target, place, msLeft(), true) : result;
    if (last === 'stale') return noHttp;
    if ('failure' in last && last.failure === 'connect')
      this.#addresses.forget(target.host, sourceOf(target));
    return last;
  }

  async #resolve(target: DeliveryTarget): Promise<readonly string[] | Failure> {
    const known = this.#guard.knownAddresses(target);
    if (known !== null) return known;
    try {
      const addresses = await this.#addresses.of(target.host, sourceOf(target));
      return addresses.length === 0 ? noAddress : addresses;
    } catch (error) {
      if (error instanceof NameServiceError) return noNames;
      return noAddress;
    }
  }

  #exchange<Read extends Answer>(
    { method, headers, body, signal, read }: Exchange<Read>,
    { url, host, port, isSecure }: DeliveryTarget,
    { address, isListed }: CheckedAddress,
    msMax: number,
    isFresh: boolean,
  ): Promise<Read | Failure | 'stale'> {
    const pinned = { host, address, port, serverName: isSecure ? host : null };
    const options: PinnedRequest = {
      method,
      host: url.hostname,
      path: url.pathname + url.search,
      headers: [
        ...Object.entries(headers).flat(),
        ...['host', url.host, 'user-agent', userAgent],
        ...(body === null ? [] : ['content-length', String(body.length)]),
      ],
      maxHeaderSize: headerBytesMax,
      // Without an agent, the connection is only for this request.
      ...(isFresh ? { createConnection: () => this.#egress.dial(pinned) } : { agent: this.#agent }),
      pinned,
    };
    return new Promise((resolve) => {
      const outgoing = startRequest(options);
      if (outgoing === null) return resolve(noRequest);
      let isResponding = false;
      const finish = (result: Read | Failure | 'stale') => {
        cancel();
        signal.removeEventListener('abort', abort);
        resolve(result);
      };
      const end = (failure: Failure) => {
        // Once there is a status, it counts: only the rest of the response is missing.
        if (!isResponding) finish(failure);
        outgoing.destroy();
      };
      const abort = () => end(interrupted);
      const cancel = this.#clock.deadline(msMax, () =>
        end(outgoing.socket?.connecting === false ? noResponse : noConnection),
      );
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      outgoing.on('response', (message) => {
        isResponding = true;
        const isHttp = (message.statusCode ?? 0) <= statusMax;
        void read(message, isListed).then((result) => finish(isHttp ? result : noHttp));
      });
      outgoing.on('error', (error) => {
        if (isResponding) return;
        const failure = failureOf(error, isSecure);
        finish(failure.failure === 'reset' && outgoing.reusedSocket ? 'stale' : failure);
      });
      // A change of the protocol would leave the request hanging.
      outgoing.on('upgrade', (_, socket) => {
        socket.destroy();
        finish(noHttp);
      });
      outgoing.end(body ?? undefined);
    });
  }

  #answer({ statusCode: status = 0, headers }: IncomingMessage): Answer {
    const now = new Date(this.#clock.now());
    return { status, retryAfterMs: retryAfterMs(headers['retry-after'], now, dayMs) };
  }
}

function startRequest(options: PinnedRequest) {
  try {
    return sendRequest(options);
  } catch {
    return null;
  }
}

function refused(refusal: UrlRefusal): Failure {
  return { failure: 'refused_address', text: urlRefusals[refusal] };
}

function sourceOf({ isListedName }: DeliveryTarget): NameSource {
  return isListedName ? 'machine' : 'dns';
}

function unlessAborted<T>(signal: AbortSignal, reply: Promise<T>): Promise<T | Failure> {
  return new Promise((resolve) => {
    const abort = () => resolve(interrupted);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    void reply.then(resolve).finally(() => signal.removeEventListener('abort', abort));
  });
}
