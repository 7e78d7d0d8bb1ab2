import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../src/contract/calls.ts';
import { anythingOf } from '../support/json-values.ts';
import { operationOf, published, validatorOf } from '../support/published.ts';

/** The query parameters of an operation as one object, as the contract sees them. */
function querySchema({ parameters }: ReturnType<typeof operationOf>): object {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const [named, free] = [query.filter(({ style }) => !style), query.find(({ style }) => style === 'form')];
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties:
      free === undefined ? false : (free.schema as { additionalProperties: object }).additionalProperties,
  };
}

const inputs = calls.flatMap((call) => {
  const operation = operationOf(call);
  const name = `${call.method.toUpperCase()} ${call.path}`;
  const { body, query } = call;
  return [
    ...(query === undefined
      ? []
      : [{ name: `the query of ${name}`, server: query, schema: querySchema(operation) }]),
    ...(body === undefined
      ? []
      : [
          {
            name: `the body of ${name}`,
            server: body,
            schema: operation.requestBody?.content?.['application/json']?.schema as object,
          },
        ]),
  ];
});

test.each(inputs)(
  '$name: what the server accepts or refuses, the published schema does too',
  ({ server, schema }) => {
    const isPublished = validatorOf(schema);
    const verdictOn = (value: unknown) => {
      const { success, error } = server.safeParse(value);
      if (success) return 'accepted';
      return error.issues.every(isBeyondSchemas) ? 'refused by a rule that no schema can say' : 'refused';
    };
    const values = anythingOf(z.toJSONSchema(server, { io: 'input' })).filter(
      (value) => verdictOn(value) !== 'refused',
    );
    fc.assert(
      fc.property(values, (value) => {
        for (const near of [value, ...neighboursOf(value)]) {
          const verdict = verdictOn(near);
          if (verdict === 'accepted' || verdict === 'refused')
            expect([near, isPublished(near) ? 'accepted' : 'refused']).toEqual([near, verdict]);
        }
      }),
      { numRuns: 30 },
    );
  },
);

test('no schema has a default, because generated clients would demand the field in a request', () => {
  const isSchema = (node: object) =>
    '$ref' in node || 'anyOf' in node || ('type' in node && typeof node.type === 'string');
  const withDefault = objectsIn(published).filter((node) => isSchema(node) && 'default' in node);
  expect(withDefault).toEqual([]);
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

/** Rules between fields, and about what a text means. */
function isBeyondSchemas({ code }: z.core.$ZodIssue): boolean {
  return code === 'custom';
}

/** The value without each of its members in turn, and with a member that nobody knows. */
function* neighboursOf(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const changed of neighboursOf(item)) yield value.with(index, changed);
    return;
  }
  yield { ...value, nobody_knows_this: 1 };
  for (const [key, member] of Object.entries(value)) {
    const { [key]: _, ...others } = value as Record<string, unknown>;
    yield others;
    for (const changed of neighboursOf(member)) yield { ...others, [key]: changed };
  }
}
