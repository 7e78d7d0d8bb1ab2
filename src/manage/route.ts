import type { z } from 'zod';
import type { ProblemCode } from '../contract/problem.ts';
import type { Access, Principal } from './access.ts';
import type { ManagementDeps } from './deps.ts';

/**
 * One call of the API. The same declaration registers it (management.ts) and documents it (openapi.ts). Every
 * parameter in a path is a UUID, and a path that names a `:workspace_id` is served only when that exists.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** Those beyond the ones that any route of its shape can give. */
  readonly problems?: readonly ProblemCode[];
  handle(call: Call, deps: ManagementDeps): Promise<unknown>;
}

export interface Call<Path extends string = string, Query = unknown, Body = unknown> {
  readonly principal: Principal;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
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
  readonly body?: z.ZodType<Result>;
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

export function json<Result>(status: 200 | 201, body: z.ZodType<Result>): Answer<Result> {
  return {
    status,
    contentTypes: ['application/json'],
    body,
    respond: (result) => Response.json(result, { status }),
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
