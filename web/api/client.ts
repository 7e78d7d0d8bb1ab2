import type { ProblemBody } from '../../src/contract/problem.ts';

/** What a call can fail with: a problem of the API, or no answer at all (`offline`). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  readonly suggestion: string | undefined;

  constructor(
    status: number,
    body: Partial<Pick<ProblemBody, 'detail' | 'title' | 'errors' | 'suggestion'>> & {
      code?: string;
      message?: string;
    },
  ) {
    super(body.detail ?? body.message ?? body.title ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.faults = body.errors ?? [];
    this.suggestion = body.suggestion;
  }
}

export type QueryValues = Readonly<Record<string, string | number | undefined | null>>;

export interface CallOptions {
  readonly query?: QueryValues;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls the management API with the session cookie; `path` comes after /api/v1. */
export function callApi<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  return request<Answer>(method, `/api/v1${path}${queryText(options.query)}`, options);
}

/** Calls the account endpoints, which have answers of their own shape. */
export function callAuth<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  return request<Answer>(method, `/api/auth${path}`, body === undefined ? {} : { body });
}

export function queryText(values: QueryValues = {}): string {
  const given = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** All items of a list that is shown as a whole: a page ends early when its items are large. */
export async function callForAll<Item>(
  path: string,
  query: QueryValues,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { items: Item[]; next_cursor: string | null } = await callApi('GET', path, {
      query: { ...query, cursor },
    });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return { items, next_cursor: null };
}

const triesMax = 6;
const retryMsMax = 10_000;

/** A call that other calls of the same person keep from beginning is repeated: nobody has to know. */
async function request<Answer>(
  method: Method,
  address: string,
  { body, signal }: CallOptions,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const response = await answerOf(address, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ...(signal === undefined ? {} : { signal }),
    });
    const json = parsed(await response.text());
    if (response.ok) return json as Answer;
    const problem = new ApiProblem(response.status, (json ?? {}) as Partial<ProblemBody>);
    if (problem.code !== ('too_many_in_progress' satisfies ProblemBody['code']) || tries >= triesMax)
      throw problem;
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000, signal);
  }
}

/** Ends early, as the call itself would, when nobody wants the answer any more. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, retryMsMax));
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function answerOf(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, {
      code: 'offline',
      detail: 'The service does not answer. Check your connection and try again.',
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
