import type { z } from 'zod';
import type {
  Answer,
  CallDeclaration,
  FileAnswer,
  JsonAnswer,
  NoAnswer,
  Page,
  PageAnswer,
  PathParams,
} from '../../contract/call.ts';
import type { Role } from '../../domain/role.ts';
import type { Client } from '../accounts/accounts.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Principal } from './access.ts';
import { JsonText, pageText, streamOfText } from './json-text.ts';

/** A call of the contract with what serves it. */
export interface Route {
  readonly declaration: CallDeclaration;
  handle(asked: Asked, deps: ManagementDeps): Promise<unknown>;
}

/** A call as somebody makes it: who, and with what. */
export interface Asked<Path extends string = string, Query = unknown, Body = unknown> {
  readonly principal: Principal;
  /** The caller's in the workspace of the path; null outside of one, and for operators who have none in it. */
  readonly role: Role | null;
  readonly client: Client;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when nobody waits for the answer any more. */
  readonly ended?: AbortSignal | undefined;
}

type Handler<Declaration extends CallDeclaration> = (
  asked: Asked<Declaration['path'], Output<Declaration['query']>, Output<Declaration['body']>>,
  deps: ManagementDeps,
) => Promise<ResultOf<Declaration['answer']>>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler may return, by the kind of answer that the contract says. */
type ResultOf<Declared extends Answer> =
  Declared extends JsonAnswer<infer Body>
    ? JsonResult<z.output<Body>>
    : Declared extends PageAnswer<infer Body>
      ? PageInPieces<z.output<Body>>
      : Declared extends FileAnswer
        ? Response
        : Declared extends NoAnswer
          ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to answer returns nothing.
            void
          : never;

/** Text where the answer can be large, or holds JSON of others; cookies where the call signs somebody in. */
type JsonResult<Value> = Value | JsonText<Value> | WithCookies<Value>;

/** A page as it is while its items are written already. */
type PageInPieces<Whole extends Page> = Omit<Whole, 'items'> & {
  readonly items: readonly JsonText<Whole['items'][number]>[];
};

/** Its members are private, so that no literal passes for one and is answered as it is. */
export class WithCookies<Value> {
  readonly #value: Value;
  readonly #cookies: readonly string[];

  constructor(value: Value, cookies: readonly string[]) {
    this.#value = value;
    this.#cookies = cookies;
  }

  toResponse(status: number): Response {
    const headers = this.#cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
    return Response.json(this.#value, { status, headers });
  }
}

/** Pairs a call with its handler, which must take and return what the contract says. */
export function route<const Declaration extends CallDeclaration>(
  declaration: Declaration,
  handle: Handler<Declaration>,
): Route {
  return { declaration, handle: handle as unknown as Route['handle'] };
}

/** The routes in the order of the calls. Every call has one handler, and every handler is that of a call. */
export function routesOf(calls: readonly CallDeclaration[], routes: readonly Route[]): readonly Route[] {
  const stranger = routes.find(({ declaration }) => !calls.includes(declaration));
  if (stranger !== undefined) throw new Error(`${nameOf(stranger.declaration)} is no call of the contract.`);
  return calls.map((call) => {
    const [found, ...others] = routes.filter(({ declaration }) => declaration === call);
    if (found === undefined) throw new Error(`${nameOf(call)} has no handler.`);
    if (others.length > 0) throw new Error(`${nameOf(call)} has several handlers.`);
    return found;
  });
}

function nameOf({ method, path }: CallDeclaration): string {
  return `${method.toUpperCase()} ${path}`;
}

const jsonHeaders = { 'content-type': 'application/json' };

/** Writes what a handler returned. That it fits the answer, `route` has made sure of. */
export function respond({ kind, status }: Answer, result: unknown): Response {
  if (kind === 'none') return new Response(null, { status });
  if (kind === 'file') return result as Response;
  if (kind === 'page') {
    const { items, ...rest } = result as PageInPieces<Page>;
    return textResponse(pageText(items, rest), status);
  }
  if (result instanceof JsonText) return textResponse(result, status);
  if (result instanceof WithCookies) return result.toResponse(status);
  return Response.json(result, { status });
}

function textResponse({ pieces }: JsonText<unknown>, status: number): Response {
  return new Response(streamOfText(pieces), { status, headers: jsonHeaders });
}
