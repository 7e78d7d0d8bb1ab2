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

/** A call of the contract with its handler. */
export interface Route {
  readonly declaration: CallDeclaration;
  handle(asked: Asked, deps: ManagementDeps): Promise<unknown>;
}

/** A call as made: the caller and the input. */
export interface Asked<Path extends string = string, Query = unknown, Body = unknown> {
  readonly principal: Principal;
  /** The caller's role in the workspace of the path. Null without a workspace, and for operators who are not members. */
  readonly role: Role | null;
  readonly client: Client;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when nobody waits for the response any more. */
  readonly ended?: AbortSignal | undefined;
  /** Aborted earlier, when the caller sends nothing more. They may still wait for the response. */
  readonly hungUp?: AbortSignal | undefined;
}

type Handler<Declaration extends CallDeclaration> = (
  asked: Asked<Declaration['path'], Output<Declaration['query']>, Output<Declaration['body']>>,
  deps: ManagementDeps,
) => Promise<ResultOf<Declaration['answer']> | OtherResultOf<Declaration>>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler may return, by the kind of response in the contract. */
type ResultOf<Declared extends Answer> =
  Declared extends JsonAnswer<infer Body>
    ? JsonResult<z.output<Body>>
    : Declared extends PageAnswer<infer Body>
      ? PageInPieces<z.output<Body>>
      : Declared extends FileAnswer
        ? Response
        : Declared extends NoAnswer
          ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a response returns nothing.
            void
          : never;

type OtherResultOf<Declaration extends CallDeclaration> = Declaration extends {
  readonly otherAnswer: JsonAnswer<infer Body>;
}
  ? OtherResult<z.output<Body>>
  : never;

/** JSON text if the response can be large or contains stored JSON; cookies if the call signs someone in. */
type JsonResult<Value> = Value | JsonText<Value> | WithCookies<Value>;

/** A page whose items are already JSON text. */
type PageInPieces<Whole extends Page> = Omit<Whole, 'items'> & {
  readonly items: readonly JsonText<Whole['items'][number]>[];
};

/** Its members are private, so that a literal cannot pass for one. */
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

/** Returned by a handler that responds with the second response of its call. */
export class OtherResult<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  toResponse(status: number): Response {
    return Response.json(this.#value, { status });
  }
}

/** Pairs a call with its handler, whose types must match the contract. */
export function route<const Declaration extends CallDeclaration>(
  declaration: Declaration,
  handle: Handler<Declaration>,
): Route {
  return { declaration, handle: handle as unknown as Route['handle'] };
}

/** The routes in the order of the calls. Every call has one handler, and every handler has a call. */
export function routesOf(calls: readonly CallDeclaration[], routes: readonly Route[]): readonly Route[] {
  const stranger = routes.find(({ declaration }) => !calls.includes(declaration));
  if (stranger !== undefined)
    throw new Error(`${nameOf(stranger.declaration)} is not a call of the contract.`);
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

/** Writes what a handler returned. `route` ensures that it matches the declaration. */
export function respond(
  { answer: { kind, status }, otherAnswer }: Pick<CallDeclaration, 'answer' | 'otherAnswer'>,
  result: unknown,
): Response {
  if (result instanceof OtherResult) return result.toResponse(otherAnswer?.status ?? status);
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
