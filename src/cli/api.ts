import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandLineConfig } from '../config.ts';
import { type Addressed, addressOf } from '../contract/address.ts';
import type { AnswerOf, Calls, Files, GivenTo, InputOf, ItemOf, Lists, Method } from '../contract/calls.ts';
import type { Preparing } from '../contract/leads/list-options.ts';
import type { ProblemBody } from '../contract/problem.ts';
import { looksLikeApiKey } from '../domain/api-key/api-key.ts';
import { CliError, type ExitReason } from './exit.ts';
import { systemPhrase } from './report.ts';

const timeoutMs = 30_000;
const pageItems = 200;
const triesMax = 6;
const clockDifferenceMsMin = 5_000;
const retrySecondsMax = 10;

export const noKeyText =
  'There is no key. Set LEADGATE_KEY to an API key, or OPERATOR_KEY, or name a file with either: --key-file <path>.';

/** What any call sends. */
interface Sent extends Addressed {
  readonly body?: object | undefined;
}

interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
  /** Of a list of leads. */
  readonly preparing?: Preparing;
}

/** The management API of a running service, with an API key or as the operator. */
export class Api {
  readonly url: string;
  readonly #key: string | null;
  #clockAheadMs = 0;

  constructor({ url, key: givenKey }: Pick<CommandLineConfig, 'url' | 'key'>, keyPath?: string) {
    this.url = url;
    const key = keyPath === undefined ? givenKey : keyFrom(keyPath);
    // Other characters are not allowed in a header, and would look like a service that does not respond.
    if (key !== null && !/^[\x21-\x7e]+$/.test(key))
      throw new CliError(
        'forbidden',
        'The key is empty or has invalid characters. Check LEADGATE_KEY, OPERATOR_KEY or the key file.',
      );
    this.#key = key;
  }

  get keyKind(): 'none' | 'api_key' | 'operator_key' {
    if (this.#key === null) return 'none';
    return looksLikeApiKey(this.#key) ? 'api_key' : 'operator_key';
  }

  /** Null if it is ready. Needs no key. */
  async whyNotReady(): Promise<string | null> {
    const response = await this.#fetch('/readyz', {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = (await response.text()).trim();
    if (response.status === 503) return text;
    if (response.ok && text === 'ready') return null;
    throw new CliError('failure', foreignText(this.url));
  }

  /** The time by the clock of the service, from its responses. */
  now(): number {
    return Date.now() + this.#clockAheadMs;
  }

  /** Makes a call of the contract. Its method and path determine the types. */
  call<M extends Method, Path extends keyof Calls[M] & string>(
    method: M,
    path: Path,
    ...[input]: GivenTo<InputOf<Calls[M], Path>>
  ): Promise<AnswerOf<Calls[M], Path>> {
    return this.#json(method, path, (input ?? {}) as Sent);
  }

  /** The body of a response as it was sent: parsing it would round long numbers. */
  async text<Path extends keyof Calls['GET'] & string>(
    path: Path,
    input: InputOf<Calls['GET'], Path>,
  ): Promise<string> {
    const response = await this.#call('GET', path, input as Sent, timeoutMs);
    return response.text().catch((error) => {
      throw new CliError('unreachable', unreachableText(this.url, error));
    });
  }

  /** All items of a list, or the first `countMax`, page by page. */
  async list<Path extends keyof Lists>(
    path: Path,
    input: InputOf<Lists, Path>,
    countMax = Number.POSITIVE_INFINITY,
  ): Promise<ItemOf<Path>[]> {
    const { params, query } = input as Sent;
    const items: ItemOf<Path>[] = [];
    for (let cursor: string | null | undefined; cursor !== null && items.length < countMax; ) {
      const limit = Math.min(pageItems, countMax - items.length);
      const page: Page<ItemOf<Path>> = await this.#json('GET', path, {
        params,
        query: { ...query, limit, cursor },
      });
      if (page.preparing) throw notSorted(page.preparing);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  }

  /** The body of a response as a stream, however long it takes. */
  async stream<Path extends keyof Files>(
    path: Path,
    input: InputOf<Files, Path>,
  ): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#call('GET', path, input as Sent);
    const url = this.url;
    const brokenOff = (error: Error) =>
      new CliError('unreachable', `${unreachableText(url, error)} The output is incomplete.`);
    async function* chunks() {
      try {
        yield* response.body as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw brokenOff(error as Error);
      }
    }
    return chunks();
  }

  async #json<Answer>(method: string, path: string, sent: Sent): Promise<Answer> {
    const response = await this.#call(method, path, sent, timeoutMs);
    if (response.status === 204 && method !== 'GET') return undefined as Answer;
    try {
      return (await response.json()) as Answer;
    } catch (error) {
      // The connection failed or timed out; only bad JSON means that this is another service.
      if (!(error instanceof SyntaxError))
        throw new CliError('unreachable', unreachableText(this.url, error as Error));
      throw new CliError('failure', foreignText(this.url));
    }
  }

  /** Retries a call that the service put off, unless the wait is too long. */
  async #call(method: string, path: string, sent: Sent, msMax?: number): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await this.#ask(method, path, sent, msMax);
      this.#compareClocks(response);
      if (response.ok) return response;
      const waitSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const isPutOff = response.status === 429 && waitSeconds <= retrySecondsMax;
      if (!isPutOff || tries >= triesMax) throw await refusal(response);
      await response.body?.cancel();
      await sleep(waitSeconds * 1_000);
    }
  }

  #compareClocks(response: Response): void {
    const aheadMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
    // The header has whole seconds, and took some time to arrive.
    this.#clockAheadMs = Math.abs(aheadMs) > clockDifferenceMsMin ? aheadMs : 0;
  }

  async #ask(method: string, path: string, sent: Sent, msMax?: number): Promise<Response> {
    if (this.#key === null) throw new CliError('forbidden', noKeyText);
    const request: RequestInit = {
      method,
      redirect: 'manual',
      headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      ...(msMax === undefined ? {} : { signal: AbortSignal.timeout(msMax) }),
    };
    return this.#fetch(addressOf(path, sent), request);
  }

  #fetch(path: string, request: RequestInit): Promise<Response> {
    return fetch(this.url + path, request).catch((error) => {
      throw new CliError('unreachable', unreachableText(this.url, error));
    });
  }
}

/** The same as for an export: a list that lacks leads must not look complete. */
function notSorted({ done, total }: NonNullable<Preparing>): CliError {
  return new CliError(
    'conflict',
    `The leads are not sorted yet: ${done} of about ${total} are prepared. Try again in a few minutes, set --to to an earlier time, or leave out --sort.`,
  );
}

function foreignText(url: string): string {
  return `${url} does not respond like Leadgate. Check LEADGATE_URL.`;
}

function unreachableText(url: string, error: Error): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  const why = cause?.code ?? cause?.message ?? error.message;
  return `${url} does not respond (${why}). Start the service, or set LEADGATE_URL to its URL.`;
}

const reasons: Readonly<Record<number, ExitReason>> = {
  400: 'usage',
  401: 'forbidden',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  422: 'usage',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
};

async function refusal(response: Response): Promise<CliError> {
  const text = await response.text();
  const reason = reasons[response.status] ?? 'failure';
  const problem = problemOf(text);
  if (problem === null) return new CliError(reason, `The service responded with ${response.status}.`);
  return new CliError(reason, `${problem.title} ${problem.detail}`.trim());
}

function problemOf(text: string): ProblemBody | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.title === 'string' ? body : null;
  } catch {
    return null;
  }
}

function keyFrom(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CliError('usage', `The key file ${path} cannot be read: ${systemPhrase(error)}.`);
  }
}
