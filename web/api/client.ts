import { type Addressed, addressOf } from '../../src/contract/address.ts';
import type {
  AnswerOf,
  Calls,
  Files,
  GivenTo,
  InputOf,
  ItemOf,
  Lists,
  Method,
} from '../../src/contract/calls.ts';
import type { ProblemBody } from '../../src/contract/problem.ts';
import type { AccountCalls } from './accounts.ts';
import { connection, isOutage } from './connection.ts';
import { confirmPassword } from './password-proof.ts';

/** Why a call failed: a problem from the API, or no response at all (`offline`). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
  readonly suggestion: string | undefined;

  constructor(
    status: number,
    body: Partial<Pick<ProblemBody, 'detail' | 'title' | 'errors' | 'suggestion'>> & {
      code?: string;
      message?: string;
    },
  ) {
    // The API explains how to send the operator key too, which is of no use on a page.
    const detail = body.code === 'unauthorized' ? 'Your session has ended. Sign in again.' : body.detail;
    super(detail ?? body.message ?? body.title ?? `The service responded with status ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.errors = body.errors ?? [];
    this.suggestion = body.suggestion;
  }
}

/** True if what was asked for does not exist, or no longer: asking again cannot help. */
export const isMissing = (error: unknown) => error instanceof ApiProblem && error.status === 404;

/** What any call sends. */
interface Sent extends Addressed {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

interface Cancelling {
  /** Aborts the call when its response is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls an endpoint of the contract with the session cookie; method and path determine what it takes and returns. */
export function api<M extends Method, Path extends keyof Calls[M] & string>(
  method: M,
  path: Path,
  ...[input]: GivenTo<InputOf<Calls[M], Path> & Cancelling>
): Promise<AnswerOf<Calls[M], Path>> {
  const sent = (input ?? {}) as Sent;
  return request(method, addressOf(path, sent), sent);
}

/** All items of a list that is shown whole. A page may end early when its items are large. */
export async function allOf<Path extends keyof Lists>(
  path: Path,
  input: InputOf<Lists, Path>,
): Promise<{ items: ItemOf<Path>[]; next_cursor: null }> {
  const { params, query } = input as Sent;
  const items: ItemOf<Path>[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const address = addressOf(path, { params, query: { ...query, cursor } });
    const page: { items: ItemOf<Path>[]; next_cursor: string | null } = await request('GET', address);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return { items, next_cursor: null };
}

/** The URL of a file that the browser fetches itself. */
export function fileAddress<Path extends keyof Files>(path: Path, input: InputOf<Files, Path>): string {
  return addressOf(path, input as Sent);
}

/** Calls an account endpoint; their responses have other shapes. */
export function callAuth<Path extends keyof AccountCalls>(
  path: Path,
  ...[body]: AccountCalls[Path]['body'] extends undefined ? [] : [body: AccountCalls[Path]['body']]
): Promise<AccountCalls[Path]['answer']> {
  return request(body === undefined ? 'GET' : 'POST', `/api/auth${path}`, { body });
}

const triesMax = 6;
const retryMsMax = 10_000;
// A call that takes longer may still succeed, but perhaps nobody is there.
const doubtMs = 8_000;

/**
 * A call that is refused because the same person has too many in progress is repeated silently. One that needs a password is
 * repeated once after the dialog that asks for it, so that no page has to know about it.
 */
async function request<Answer>(
  method: Method,
  address: string,
  { body, signal }: Sent = {},
): Promise<Answer> {
  let isProved = false;
  for (let tries = 1; ; tries++) {
    const { response, json } = await answerOf(
      address,
      {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      },
      signal,
    );
    if (response.ok) return json as Answer;
    const problem = new ApiProblem(response.status, (json ?? {}) as Partial<ProblemBody>);
    if (problem.code === ('password_needed' satisfies ProblemBody['code']) && !isProved) {
      isProved = await confirmPassword();
      if (isProved) continue;
    }
    if (problem.code !== ('too_many_in_progress' satisfies ProblemBody['code']) || tries >= triesMax)
      throw problem;
    await pause(Number(response.headers.get('retry-after') ?? 1) * 1_000, signal);
  }
}

/** Ends early when the call is aborted, as the call itself would. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, retryMsMax));
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The whole response, because the service may stop in the middle of it. */
async function answerOf(
  address: string,
  init: RequestInit,
  given: AbortSignal | undefined,
): Promise<{ response: Response; json: unknown }> {
  const doubt = setTimeout(() => void connection.check(), doubtMs);
  const hung = new AbortController();
  // What is only read can be read again when the service is back; what was sent may still arrive.
  const hangUp = connection.subscribe(() => {
    if (init.method === 'GET' && connection.current().outage === 'offline') hung.abort();
  });
  try {
    const signal = AbortSignal.any([hung.signal, ...(given === undefined ? [] : [given])]);
    const response = await fetch(address, { ...init, signal });
    const json = parsed(await response.text());
    connection.heard(response.status);
    if (isOutage(response.status) && !isProblem(json)) throw offline(response.status);
    return { response, json };
  } catch (error) {
    if (given?.aborted || error instanceof ApiProblem) throw error;
    connection.heard(0);
    throw offline(0);
  } finally {
    clearTimeout(doubt);
    hangUp();
  }
}

/** No response, or one of a proxy that does not reach the service. */
function offline(status: number): ApiProblem {
  return new ApiProblem(status, {
    code: 'offline',
    detail: 'The service is not responding. Check your connection and try again.',
  });
}

function isProblem(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'code' in json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
