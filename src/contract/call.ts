import type { z } from 'zod';
import type { Role } from '../domain/role.ts';
import type { ProblemCode } from './problem.ts';

/**
 * One call of the API. Server, OpenAPI, web client, command line and the tests of roles derive from it. Every parameter in a path is
 * a UUID, and a path that names a `:workspace_id` is served only to those who have the role that `access` names in it. Every call but
 * GET is kept in the audit log unless `audit` says otherwise, and every one that `gives` something away.
 */
export interface CallDeclaration {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Members of the body, or of the query of a GET, whose values go into the audit log; of the others only the names do. */
  readonly audited?: readonly string[];
  /** `reads`: it changes nothing that anybody else sees. `itself`: the handler writes the audit log, in its own transaction. */
  readonly audit?: 'reads' | 'itself';
  /** What leaves the service with the answer. Kept in the audit log before it does, and said in the log of the service. */
  readonly gives?: 'leads' | 'body' | 'secret';
  /** It takes long or answers much, so only a few may be in progress per caller. */
  readonly expensive?: ExpensiveKind;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** Those beyond the ones that any call of its shape can give. */
  readonly problems?: readonly ProblemCode[];
}

/** Who may make a call. The scopes of API keys will stand here, beside the least that people need. */
export interface Access {
  readonly by: AccessLevel;
  /** Operators reach it in every workspace, also those they have no role in. */
  readonly operatorsToo?: true;
}

/**
 * The least that a call asks for. The operator key reaches everything that is not about a person.
 *
 * public         nothing
 * signed_in      to be somebody
 * person         to be a person, not a key
 * member, owner  the role in the workspace of its path
 * operator       to be an operator
 * operator_key   the key itself
 */
export type AccessLevel = 'public' | 'signed_in' | 'person' | Role | 'operator' | 'operator_key';

/** How a call is counted: a `call` ends with its work, a `stream` lasts as long as its reader takes. */
export type ExpensiveKind = 'call' | 'stream';

/** What is answered when all went well. */
export type Answer = JsonAnswer | PageAnswer | NoAnswer | FileAnswer;

export interface JsonAnswer<Body extends z.ZodType = z.ZodType> {
  readonly kind: 'json';
  readonly status: 200 | 201;
  readonly contentTypes: readonly ['application/json'];
  readonly body: Body;
}

/** A list whose items are written one by one, because they can be many and large. */
export interface PageAnswer<Body extends z.ZodType<Page> = z.ZodType<Page>> {
  readonly kind: 'page';
  readonly status: 200;
  readonly contentTypes: readonly ['application/json'];
  readonly body: Body;
}

export interface Page {
  readonly items: unknown[];
  readonly next_cursor: string | null;
}

export interface NoAnswer {
  readonly kind: 'none';
  readonly status: 204;
  readonly contentTypes: readonly [];
  readonly body?: undefined;
}

export interface FileAnswer {
  readonly kind: 'file';
  readonly status: 200;
  readonly contentTypes: readonly string[];
  readonly body?: undefined;
}

export function json<Body extends z.ZodType>(status: 200 | 201, body: Body): JsonAnswer<Body> {
  return { kind: 'json', status, contentTypes: ['application/json'], body };
}

export function page<Body extends z.ZodType<Page>>(body: Body): PageAnswer<Body> {
  return { kind: 'page', status: 200, contentTypes: ['application/json'], body };
}

export const none: NoAnswer = { kind: 'none', status: 204, contentTypes: [] };

export function file(...contentTypes: readonly string[]): FileAnswer {
  return { kind: 'file', status: 200, contentTypes };
}

/** Checks a declaration and keeps its precise type. A misspelt member is a fault, because what it was to say would not be said. */
export function call<const Declaration extends CallDeclaration>(
  declaration: Declaration & { readonly [Name in Exclude<keyof Declaration, keyof CallDeclaration>]: never },
): Declaration {
  return declaration;
}

export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : Readonly<Record<never, string>>;

/** "List leads" → "listLeads" */
export function operationId({ summary }: Pick<CallDeclaration, 'summary'>): string {
  return summary.toLowerCase().replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
