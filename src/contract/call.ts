import type { z } from 'zod';
import type { Scope } from '../domain/api-key/scope.ts';
import type { Role } from '../domain/role.ts';
import type { ProblemCode } from './problem.ts';

/**
 * One API call. The server, OpenAPI, the web client, the command line and the role tests derive from it. Every path parameter is
 * a UUID. A path with a `:workspace_id` is served only to callers with the role that `access` names in that workspace. The audit log
 * keeps every call except GET, unless `audit` says otherwise, and every call that `gives` something away.
 */
export interface CallDeclaration {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Set when the summary was reworded: the audit log and generated clients keep the first operation id. */
  readonly operation?: string;
  readonly description?: string;
  readonly access: Access;
  /** Body members (query members of a GET) whose values go into the audit log. Of the others, only the names do. */
  readonly audited?: readonly string[];
  /** URLs of which the audit log keeps only the host: the rest is often a secret. */
  readonly auditedHosts?: readonly string[];
  /** `reads`: changes nothing that anyone else sees. `itself`: the handler writes the audit log in its own transaction. */
  readonly audit?: 'reads' | 'itself';
  /**
   * What the response reveals. It is written to the audit log before the response is sent, and to the service log. People are asked
   * for their password before a call that gives a secret. `view`: a body, to be shown to someone.
   */
  readonly gives?: 'leads' | 'body' | 'view' | 'secret';
  /** Asks for the password although no secret is shown, because the call gives someone such power. */
  readonly proof?: 'password';
  /** The response contains a secret that it does not give away, or what one could be guessed by. */
  readonly secret?: true;
  /** Slow or large, so each caller may have only a few in progress. */
  readonly expensive?: ExpensiveKind;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** A second response, for a call that can also do something else. The handler says which one it returns. */
  readonly otherAnswer?: JsonAnswer;
  /** Besides those that any call of its shape can return. */
  readonly problems?: readonly ProblemCode[];
}

/** Who may make a call. */
export interface Access {
  readonly by: AccessLevel;
  /**
   * What an API key of the workspace needs: one scope, or all of several. `any`: every key of the workspace may make the call.
   * Without it, no API key may.
   */
  readonly scope?: Scope | readonly Scope[] | 'any';
  /** Operators may call it in every workspace, even without a role there. */
  readonly operatorsToo?: true;
  /** While the database is unavailable, operators whose session this instance checked a short time ago may call it. */
  readonly duringOutage?: true;
}

/**
 * The minimum that a call requires of people. The operator key may make every call that is not about a person.
 *
 * public         nothing
 * signed_in      a person or the operator key
 * person         a person, not a key
 * member, owner  that role in the workspace of the path
 * operator       an operator
 * operator_key   the operator key itself
 */
export type AccessLevel = 'public' | 'signed_in' | 'person' | Role | 'operator' | 'operator_key';

/** When a call stops counting: a `call` when its work is done, a `stream` when its reader has read everything. */
export type ExpensiveKind = 'call' | 'stream';

/** The response to a successful call. */
export type Answer = JsonAnswer | PageAnswer | NoAnswer | FileAnswer;

export interface JsonAnswer<Body extends z.ZodType = z.ZodType> {
  readonly kind: 'json';
  readonly status: 200 | 201 | 202;
  readonly contentTypes: readonly ['application/json'];
  readonly body: Body;
}

/** A list whose items are written one by one, because there can be many large ones. */
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

export function json<Body extends z.ZodType>(status: 200 | 201 | 202, body: Body): JsonAnswer<Body> {
  return { kind: 'json', status, contentTypes: ['application/json'], body };
}

export function page<Body extends z.ZodType<Page>>(body: Body): PageAnswer<Body> {
  return { kind: 'page', status: 200, contentTypes: ['application/json'], body };
}

export const none: NoAnswer = { kind: 'none', status: 204, contentTypes: [] };

export function file(...contentTypes: readonly string[]): FileAnswer {
  return { kind: 'file', status: 200, contentTypes };
}

/** Checks a declaration and keeps its precise type. A misspelt member is a type error. */
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

/** True if a person must have entered their password a short while ago. Callers with a key are not asked. */
export function asksForPassword({ gives, proof }: CallDeclaration): boolean {
  return gives === 'secret' || proof === 'password';
}

/**
 * Whether responses may be compressed. The size of a compressed response depends on what repeats in it, so someone who can
 * add text to it and watch the connection could guess a secret in it (BREACH).
 */
export function isCompressible({ method, gives, secret }: CallDeclaration): boolean {
  return method === 'get' && gives !== 'secret' && secret !== true;
}

/** "List leads" → "listLeads" */
export function operationId({ operation, summary }: CallDeclaration): string {
  if (operation !== undefined) return operation;
  return summary.toLowerCase().replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
