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
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function request<Answer>(
  method: Method,
  address: string,
  { body, signal }: CallOptions,
): Promise<Answer> {
  const response = await answerOf(address, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const json = parsed(text);
  if (!response.ok) throw new ApiProblem(response.status, (json ?? {}) as Partial<ProblemBody>);
  return json as Answer;
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
