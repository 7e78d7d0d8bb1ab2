import { type RetryOptions, Unanswered, Unavailable, untilAnswered } from './attempts.ts';
import { type BatchOptions, type BatchResult, inOrder } from './batch.ts';
import { checkOptions, headerPrefixDefault, type LeadgateOptions } from './options.ts';
import { Pace } from './pace.ts';
import { type Answer, type Submission, SubmissionError, submissionOf } from './result.ts';
import { type Bytes, bytesOf, sign } from './signing.ts';

export type { RetryOptions } from './attempts.ts';
export type { BatchOptions, BatchProgress, BatchResult, Failed } from './batch.ts';
export type { Credential, LeadgateOptions } from './options.ts';
export { type Accepted, type Rejected, type Submission, SubmissionError } from './result.ts';
export { type Bytes, type SignedMessage, sign, verify } from './signing.ts';

/** Objects are sent as JSON; strings and bytes are sent unchanged. */
export type Lead = Readonly<Record<string, unknown>> | Bytes;

export interface SubmitOptions extends RetryOptions {
  /** 1 to 255 characters, the same for all attempts. Default: a random key. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

const bodyBytesMax = 131_072;
const keyCharactersMax = 255;
const perMinuteMaxDefault = 1_000;
const perDayMax = 50_000;

/** Sends the leads of one form to Leadgate. */
export class Leadgate {
  readonly #options: LeadgateOptions;
  readonly #address: string;
  readonly #prefix: string;
  readonly #pace: Pace;

  /** Throws a `TypeError` if an option is missing or invalid, so that mistakes show at startup and not with the first lead. */
  constructor(options: LeadgateOptions) {
    checkOptions(options);
    this.#options = { ...options };
    const path =
      options.token === undefined ? `/api/v1/ingest/${encodeURIComponent(options.slug)}` : '/api/v1/ingest';
    this.#address = new URL(options.url).href.replace(/\/+$/, '') + path;
    this.#prefix = options.headerPrefix ?? headerPrefixDefault;
    this.#pace = new Pace(options.perMinuteMax ?? perMinuteMaxDefault);
  }

  /**
   * Resolves with the result from the service. Retries use the same idempotency key, so that the lead is stored once. Throws a
   * `SubmissionError` if no response arrives in time.
   */
  submit(lead: Lead, options: SubmitOptions = {}): Promise<Submission> {
    return this.#pace.run(() => this.#submit(lead, options));
  }

  /** Submits many leads within the rate limit. Returns the results in the order of the leads. */
  async submitAll<L extends Lead>(
    leads: readonly L[],
    options: BatchOptions<L> = {},
  ): Promise<BatchResult[]> {
    if (leads.length > perDayMax)
      throw new RangeError(`A workspace can send ${perDayMax} leads a day; this batch has ${leads.length}.`);
    const { keyOf, signal } = options;
    const submitOne = (lead: L, place: number) => {
      const own = {
        ...(keyOf === undefined ? {} : { idempotencyKey: keyOf(lead, place) }),
        ...(signal === undefined ? {} : { signal }),
      };
      return this.#pace.runWhenFree(() => this.#submit(lead, own), signal);
    };
    return inOrder(leads, submitOne, options);
  }

  async #submit(lead: Lead, options: SubmitOptions): Promise<Submission> {
    const body = bodyOf(lead);
    const key = options.idempotencyKey ?? crypto.randomUUID();
    // Built before the first attempt: retrying does not fix an invalid header.
    const headers = this.#headers(key);
    const attempt = (signal: AbortSignal) => this.#attempt(body, headers, signal);
    const retries = { ...this.#options, ...options };
    const { answer, attempts } = await untilAnswered(attempt, retries, options.signal).catch((error) => {
      throw error instanceof Unanswered ? unansweredError(error, key) : error;
    });
    const submission = submissionOf(answer, key);
    if (submission === null) throw unexpectedAnswer(answer, key, attempts);
    return submission;
  }

  async #attempt(body: Uint8Array<ArrayBuffer>, own: Headers, signal: AbortSignal): Promise<Answer> {
    const headers = new Headers(own);
    const { slug, secret } = this.#options;
    if (slug !== undefined) {
      // Each attempt is signed again, because an earlier timestamp may be too old by now.
      const timestamp = String(Math.floor(Date.now() / 1000));
      headers.set(`${this.#prefix}Timestamp`, timestamp);
      headers.set(`${this.#prefix}Signature`, await sign(secret, timestamp, body));
    }
    const request = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const response = await fetch(this.#address, request);
    if (Unavailable.isMeantBy(response.status)) {
      await response.body?.cancel();
      throw new Unavailable(response.status, response.headers.get('Retry-After'));
    }
    return {
      httpStatus: response.status,
      requestId: response.headers.get('X-Request-Id'),
      text: await response.text(),
    };
  }

  #headers(key: string): Headers {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    headers.set(`${this.#prefix}Idempotency-Key`, headerTextOf(key));
    if (this.#options.token !== undefined) headers.set('Authorization', `Bearer ${this.#options.token}`);
    return headers;
  }
}

function bodyOf(lead: Lead): Uint8Array<ArrayBuffer> {
  const isBytes = typeof lead === 'string' || lead instanceof Uint8Array;
  const body = bytesOf(isBytes ? lead : JSON.stringify(lead));
  if (body.length > bodyBytesMax)
    throw new RangeError(`A lead can have up to ${bodyBytesMax} bytes; this one has ${body.length}.`);
  return body;
}

/** The service reads the header as UTF-8; `fetch` expects one character per byte. */
function headerTextOf(key: string): string {
  const characters = [...key].length;
  if (characters === 0 || characters > keyCharactersMax)
    throw new RangeError(
      `An idempotency key must have 1 to ${keyCharactersMax} characters; this one has ${characters}.`,
    );
  return Array.from(bytesOf(key), (byte) => String.fromCharCode(byte)).join('');
}

function unansweredError(
  { attempts, isTimeout, cause }: Unanswered,
  idempotencyKey: string,
): SubmissionError {
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const about = { idempotencyKey, attempts, cause };
  if (isTimeout)
    return new SubmissionError('timeout', `The service did not respond in time (${times}).`, about);
  if (!(cause instanceof Unavailable))
    return new SubmissionError('unreachable', `The service cannot be reached (${times}).`, about);
  const { httpStatus } = cause;
  const text = `A proxy responded instead of the service: status ${httpStatus} (${times}).`;
  return new SubmissionError('unreachable', text, { ...about, httpStatus });
}

function unexpectedAnswer(answer: Answer, idempotencyKey: string, attempts: number): SubmissionError {
  const { httpStatus } = answer;
  const text = `The response (status ${httpStatus}) is not from Leadgate. Check the URL, and any proxy in between.`;
  return new SubmissionError('unexpected_answer', text, { idempotencyKey, attempts, httpStatus });
}
