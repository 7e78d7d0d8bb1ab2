import type { z } from 'zod';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Role } from '../../domain/role.ts';
import type { Client } from '../accounts/accounts.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Access, Principal } from './access.ts';
import type { Heaviness } from './heavy-calls.ts';
import { type JsonText, pageText, streamOfText } from './json-text.ts';

/**
 * One call of the API. The same declaration registers it (management.ts) and documents it (openapi.ts). Every
 * parameter in a path is a UUID, and a path that names a `:workspace_id` is served only to those who have the role
 * that `access` names in it. Every call but GET is kept in the audit log, and every one that `gives` something away.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Operators reach it in every workspace, also those they have no role in. */
  readonly operatorsToo?: true;
  /** Members of the body, or of the query of a GET, whose values go into the audit log; of the others only the names do. */
  readonly audited?: readonly string[];
  /** `reads`: it changes nothing that anybody else sees. `itself`: the handler writes the audit log, in its own transaction. */
  readonly audit?: 'reads' | 'itself';
  /** What leaves the service with the answer. Kept in the audit log before it does, and said in the log of the service. */
  readonly gives?: 'leads' | 'body' | 'secret';
  /** It takes long or answers much, so only a few may be in progress per caller. */
  readonly heavy?: Heaviness;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** Those beyond the ones that any route of its shape can give. */
  readonly problems?: readonly ProblemCode[];
  handle(call: Call, deps: ManagementDeps): Promise<unknown>;
}

export interface Call<Path extends string = string, Query = unknown, Body = unknown> {
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

export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Readonly<Record<never, string>>;

/** What a route answers when all went well. */
export interface Answer<Result = unknown> {
  readonly status: 200 | 201 | 204;
  readonly contentTypes: readonly string[];
  readonly body?: z.ZodType;
  respond(result: Result): Response;
}

interface TypedRoute<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Result>
  extends Route {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer<Result>;
  handle(call: Call<Path, z.output<Query>, z.output<Body>>, deps: ManagementDeps): Promise<Result>;
}

/** Checks a declaration: what its handler takes and returns must be what the schemas say. */
export function route<const Path extends string, Query extends z.ZodType, Body extends z.ZodType, Result>(
  declaration: TypedRoute<Path, Query, Body, Result>,
): Route {
  return declaration;
}

/** "List leads" → "listLeads" */
export function operationId(summary: string): string {
  return summary.toLowerCase().replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function json<Result>(status: 200 | 201, body: z.ZodType<Result>): Answer<Result> {
  return {
    status,
    contentTypes: ['application/json'],
    body,
    respond: (result) => Response.json(result, { status }),
  };
}

/** For answers that can be large, or that hold JSON of others: the handler has written them itself. */
export function jsonText<Result>(status: 200 | 201, body: z.ZodType<Result>): Answer<JsonText<Result>> {
  return {
    status,
    contentTypes: ['application/json'],
    body,
    respond: ({ pieces }) => new Response(streamOfText(pieces), { status, headers: jsonHeaders }),
  };
}

const jsonHeaders = { 'content-type': 'application/json' };

/** A page as it is while its items are written already. */
type PageInPieces<Page extends { items: unknown[] }> = Omit<Page, 'items'> & {
  readonly items: readonly JsonText<Page['items'][number]>[];
};

export function jsonPage<Page extends { items: unknown[] }>(
  body: z.ZodType<Page>,
): Answer<PageInPieces<Page>> {
  return {
    status: 200,
    contentTypes: ['application/json'],
    body,
    respond({ items, ...rest }) {
      return new Response(streamOfText(pageText(items, rest).pieces), { headers: jsonHeaders });
    },
  };
}

export interface WithCookies<Result> {
  readonly result: Result;
  readonly cookies: readonly string[];
}

/** For calls that sign somebody in. */
export function jsonWithCookies<Result>(
  status: 200 | 201,
  body: z.ZodType<Result>,
): Answer<WithCookies<Result>> {
  return {
    status,
    contentTypes: ['application/json'],
    body,
    respond: ({ result, cookies }) => {
      const headers = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
      return Response.json(result, { status, headers });
    },
  };
}

export const noContent: Answer<void> = {
  status: 204,
  contentTypes: [],
  respond: () => new Response(null, { status: 204 }),
};

/** The handler makes the response itself. */
export function file(...contentTypes: readonly string[]): Answer<Response> {
  return { status: 200, contentTypes, respond: (response) => response };
}
