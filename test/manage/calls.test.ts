import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CallDeclaration } from '../../src/contract/call.ts';
import {
  type AnswerOf,
  type Calls,
  calls,
  type Files,
  type GivenTo,
  type InputOf,
  type ItemOf,
} from '../../src/contract/calls.ts';

const nameOf = ({ method, path }: CallDeclaration) => `${method} ${path}`;

test('no call is hidden by one that is declared before it', () => {
  const matches = (call: CallDeclaration, name: string) =>
    new RegExp(`^${nameOf(call).replaceAll(/:\w+/g, '[^/]+')}$`).test(name);
  const served = calls.map((call) => {
    const address = nameOf(call).replaceAll(/:\w+/g, randomUUID());
    return calls.find((other) => matches(other, address));
  });
  expect(served).toEqual(calls);
});

test('every call with a workspace in its path requires a role in it', () => {
  const wrong = calls.filter(
    ({ path, access: { by } }) => path.includes(':workspace_id') !== ['member', 'owner'].includes(by),
  );
  expect(wrong.map(nameOf)).toEqual([]);
});

test('a client can make only calls that are declared, with what they take', () => {
  const given = <M extends keyof Calls, Path extends keyof Calls[M] & string>(
    _method: M,
    _path: Path,
    ..._input: GivenTo<InputOf<Calls[M], Path>>
  ) => {};
  const params = { workspace_id: '' };
  given('GET', '/me');
  given('GET', '/workspaces/:workspace_id/leads', { params, query: { limit: 5, 'field.company': 'x' } });
  given('POST', '/workspaces/:workspace_id/tokens', { params, body: { name: 'a', form_id: '' } });
  // @ts-expect-error: there is no such address.
  given('GET', '/you');
  // @ts-expect-error: it does not take this method.
  given('PUT', '/me');
  // @ts-expect-error: it is answered by a file.
  given('GET', '/workspaces/:workspace_id/leads/export', { params });
  // @ts-expect-error: the path needs a workspace.
  given('GET', '/workspaces/:workspace_id/leads');
  // @ts-expect-error: and a form.
  given('GET', '/workspaces/:workspace_id/forms/:form_id', { params });
  // @ts-expect-error: there is no such filter.
  given('GET', '/workspaces/:workspace_id/leads', { params, query: { company: 'x' } });
  // @ts-expect-error: there is no such verdict.
  given('GET', '/workspaces/:workspace_id/leads', { params, query: { verdict: 'dirty' } });
  // @ts-expect-error: the body lacks the form.
  given('POST', '/workspaces/:workspace_id/tokens', { params, body: { name: 'a' } });
  // @ts-expect-error: it takes no body.
  given('GET', '/me', { body: {} });
});

test('a client reads only what the response contains', () => {
  type Created = AnswerOf<Calls['POST'], '/workspaces/:workspace_id/tokens'>;
  type Revoked = AnswerOf<Calls['DELETE'], '/workspaces/:workspace_id/tokens/:token_id'>;
  type Export = InputOf<Files, '/workspaces/:workspace_id/leads/export'>;
  const made: Pick<Created, 'token' | 'expires_at'> = { token: 'ingt_srv_…', expires_at: null };
  const form: Pick<ItemOf<'/workspaces/:workspace_id/forms'>, 'slug'> = { slug: 'contact' };
  const nothing: Revoked = undefined;
  const file: Export = { params: { workspace_id: '' }, query: { format: 'csv' } };
  // @ts-expect-error: the list does not show the token.
  type Shown = ItemOf<'/workspaces/:workspace_id/tokens'>['token'];
  expect([made, form, nothing, file, {} as Shown]).toHaveLength(5);
});
