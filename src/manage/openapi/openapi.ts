import { z } from 'zod';
import { apiPrefix } from '../../contract/address.ts';
import { type Answer, asksForPassword, type CallDeclaration, operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import { type ProblemCode, problems } from '../../contract/problem.ts';
import { sessionCookieName } from '../accounts/names.ts';
import type { ManagementDeps } from '../deps.ts';
import { describeBrowser } from './browser-paths.ts';
import { describeIngest } from './ingest-paths.ts';
import { asSent, pathParameters, plain, queryParameters } from './parameters.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** OpenAPI 3.1, whose schemas are JSON Schema, so those of the contract fit as they are. */
export function describeApi({
  publicUrl,
  headerPrefix,
}: Pick<ManagementDeps, 'publicUrl' | 'headerPrefix'>): object {
  const ofCalls = describeCalls();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadgate',
      version: 'v1',
      description: 'Send leads, and manage workspaces, forms and tokens.',
    },
    servers: [{ url: publicUrl() }],
    paths: { ...describeIngest(headerPrefix), ...ofCalls, ...describeBrowser(ofCalls) },
    components: {
      securitySchemes: {
        operatorKey: { type: 'http', scheme: 'bearer', description: 'The operator key.' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of a workspace: `lgk_…`. Each operation that accepts one lists the scopes that the key needs.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(publicUrl()),
          description: 'The cookie of a signed-in person.',
        },
        ingestToken: { type: 'http', scheme: 'bearer', description: 'An ingest token: `ingt_srv_…`' },
        browserToken: { type: 'http', scheme: 'bearer', description: 'A browser token: `ingt_br_…`' },
      },
      schemas: namedSchemas(),
    },
  };
}

function describeCalls(): Record<string, object> {
  const paths = Map.groupBy(calls, ({ path }) => apiPrefix + path.replaceAll(/:(\w+)/g, '{$1}'));
  const operations = (methods: readonly CallDeclaration[]) =>
    Object.fromEntries(methods.map((call) => [call.method, describeCall(call)]));
  return Object.fromEntries([...paths].map(([path, methods]) => [path, operations(methods)]));
}

function describeCall(call: CallDeclaration): object {
  const { summary, tag, body, answer, otherAnswer } = call;
  const description = descriptionOf(call);
  return {
    operationId: operationId(call),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(call),
    parameters: [...pathParameters(call), ...queryParameters(call)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse({}).success,
            content: { 'application/json': contentOf(body) },
          },
        }),
    responses: {
      [answer.status]: describeAnswer(answer),
      ...(otherAnswer === undefined ? {} : { [otherAnswer.status]: describeAnswer(otherAnswer) }),
      ...problemResponses(problemsOf(call)),
    },
  };
}

function describeAnswer({ contentTypes, body }: Answer): object {
  return {
    description: 'Done.',
    content: Object.fromEntries(contentTypes.map((type) => [type, contentOf(body)])),
  };
}

function descriptionOf(call: CallDeclaration): string | undefined {
  const sentences = [
    call.description,
    asksForPassword(call)
      ? 'A session needs a password entered within the last 10 minutes: otherwise `403 password_needed` (see `POST /me/password-check`). Callers with a key are not asked.'
      : undefined,
    scopeSentence(call),
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function scopeSentence({ access: { scope } }: CallDeclaration): string | undefined {
  if (scope === undefined) return undefined;
  if (scope === 'any') return 'Every API key may call it.';
  const names = [scope].flat().map((name) => `\`${name}\``);
  return `API keys need the ${names.length === 1 ? 'scope' : 'scopes'} ${names.join(' and ')}.`;
}

/** Each entry is one way to authenticate. */
function securityOf({ access: { by, scope } }: CallDeclaration): object[] {
  const key = { operatorKey: [] };
  const session = { session: [] };
  if (by === 'public') return [{}];
  if (by === 'person') return [session];
  const scopes = scope === 'any' ? [] : scope;
  const apiKey = scopes === undefined ? [] : [{ apiKey: [scopes].flat() }];
  return by === 'operator_key' ? [key, ...apiKey] : [key, session, ...apiKey];
}

/** Every problem that serve.ts and the handler can return. */
function problemsOf(call: CallDeclaration): ProblemCode[] {
  // A key is checked first, even where none is needed, and no call accepts unknown query parameters.
  const codes: ProblemCode[] = [
    'unauthorized',
    'invalid_input',
    'internal',
    'unavailable',
    'too_many_requests',
    // Of an API key, which is checked before the call is looked at.
    'too_many_calls',
    call.access.scope === undefined ? 'forbidden' : 'scope_missing',
    ...(call.problems ?? []),
  ];
  if (!['public', 'member', 'signed_in'].includes(call.access.by)) codes.push('forbidden');
  if (asksForPassword(call)) codes.push('password_needed');
  if (call.method !== 'get') codes.push('cross_site', 'body_too_large');
  if (call.path.includes(':')) codes.push('not_found');
  if (call.expensive !== undefined) codes.push('too_many_in_progress');
  if (call.body !== undefined) codes.push('invalid_json');
  if (queryParameters(call).some(({ name }) => name === 'cursor')) codes.push('invalid_cursor');
  return codes;
}

function problemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const schema = { $ref: '#/components/schemas/Problem' };
  const ofStatus = Map.groupBy(new Set(codes), (code) => problems[code].status);
  const responses = [...ofStatus].map(([status, same]) => {
    const description = same.map((code) => `\`${code}\`: ${problems[code].title}`).join(' ');
    const headers = status === 429 ? { headers: { 'Retry-After': retryAfter } } : {};
    return [status, { description, ...headers, content: { 'application/problem+json': { schema } } }];
  });
  return Object.fromEntries(responses);
}

const retryAfter = {
  description: 'How many seconds to wait before trying again.',
  schema: { type: 'integer' },
};

function contentOf(schema: z.ZodType | undefined): object {
  return schema === undefined ? {} : { schema: reference(schema) };
}

function reference(schema: z.ZodType): object {
  return { $ref: schemaUri(z.globalRegistry.get(schema)?.id ?? '') };
}

function schemaUri(id: string): string {
  return `#/components/schemas/${id}`;
}

/**
 * Every schema that calls refer to, as sent in requests and as returned in responses. What occurs in both is published twice,
 * because its defaults and its openness may differ.
 */
function namedSchemas(): Record<string, object> {
  const responses = calls.flatMap(({ answer, otherAnswer }) => [answer.body, otherAnswer?.body]);
  // The parsed form of a request body cannot always be described, and is not needed here.
  const outputOptions = { io: 'output', uri: schemaUri, override: open, unrepresentable: 'any' } as const;
  const outputs = z.toJSONSchema(z.globalRegistry, outputOptions).schemas;
  const returned = withReferences([schemaUri('Problem'), responses.map(contentOf)], outputs);
  const uri = (id: string) => schemaUri(id in returned ? `${id}Input` : id);
  const inputs = z.toJSONSchema(z.globalRegistry, { io: 'input', uri, override: asSent }).schemas;
  const bodies = calls.map(({ body }) => contentOf(body));
  return { ...returned, ...withReferences(bodies, inputs) };
}

/** The schemas that `from` refers to, directly or not, by ID. */
function withReferences(from: object, schemas: Record<string, JsonSchema>): Record<string, object> {
  const byUri = new Map(Object.values(schemas).map(({ $schema, $id, ...schema }) => [$id, schema]));
  const found: Record<string, object> = {};
  // The set grows meanwhile.
  const uris = new Set(referencesIn(from));
  for (const uri of uris) {
    const schema = byUri.get(uri) as object;
    found[uri.slice(schemaUri('').length)] = schema;
    for (const next of referencesIn(schema)) uris.add(next);
  }
  return found;
}

function referencesIn(schema: object): string[] {
  const references = JSON.stringify(schema).matchAll(/"(#\/components\/schemas\/\w+)"/g);
  return [...references].map(([, uri = '']) => uri);
}

/** Responses may gain fields later, so their schemas stay open. */
function open(schema: { jsonSchema: JsonSchema }): void {
  plain(schema);
  if (schema.jsonSchema.additionalProperties === false) delete schema.jsonSchema.additionalProperties;
}
