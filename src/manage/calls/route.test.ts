import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, json, none, page } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import { routes } from '../routes.ts';
import { jsonOf } from './json-text.ts';
import { OtherResult, respond, route, routesOf, WithCookies } from './route.ts';

const shared = { tag: 'Things', access: { by: 'member' } } as const;
const thing = z.object({ name: z.string() });
const things = z.object({ items: z.array(thing), next_cursor: z.string().nullable() });
const readThing = call({
  ...shared,
  method: 'get',
  path: '/things/:thing_id',
  summary: 'Read',
  answer: json(200, thing),
});
const listThings = call({
  ...shared,
  method: 'get',
  path: '/things',
  summary: 'List',
  answer: page(things),
});
const deleteThing = call({
  ...shared,
  method: 'delete',
  path: '/things/:thing_id',
  summary: 'Delete',
  answer: none,
});

const reading = route(readThing, async () => ({ name: 'a' }));
const deleting = route(deleteThing, async () => {});

test('every call of the contract is served, in the order in which it declares them', () => {
  expect(routes.map(({ declaration }) => declaration)).toEqual(calls);
  expect(routesOf([readThing, deleteThing], [deleting, reading])).toEqual([reading, deleting]);
});

test('a service in which a call has no handler, or two, does not start', () => {
  expect(() => routesOf([readThing, deleteThing], [reading])).toThrow(
    'DELETE /things/:thing_id has no handler.',
  );
  expect(() => routesOf([readThing], [reading, route(readThing, async () => ({ name: 'b' }))])).toThrow(
    'GET /things/:thing_id has several handlers.',
  );
});

test('a handler of a call that the contract does not list keeps the service from starting', () => {
  expect(() => routesOf([readThing], [reading, deleting])).toThrow(
    'DELETE /things/:thing_id is not a call of the contract.',
  );
});

test('a handler can take and return only what the contract says', () => {
  // @ts-expect-error: the name is missing.
  route(readThing, async () => ({}));
  // @ts-expect-error: cookies that are not declared as such would be answered as JSON.
  route(readThing, async () => ({ result: { name: 'a' }, cookies: [] }));
  // @ts-expect-error: the items of a page are written one by one.
  route(listThings, async () => ({ items: [{ name: 'a' }], next_cursor: null }));
  // @ts-expect-error: nothing is answered.
  route(deleteThing, async () => ({ name: 'a' }));
  // @ts-expect-error: the path names no such thing.
  route(readThing, async ({ params }) => ({ name: params.form_id }));
});

test('a declaration with a misspelt member does not pass', () => {
  // @ts-expect-error: it is called `audited`.
  call({ ...shared, method: 'put', path: '/things', summary: 'Put', answer: none, auditted: ['name'] });
});

test.each([
  ['a value', { name: 'a' }],
  ['text that was written already', jsonOf({ name: 'a' })],
  ['a value with cookies', new WithCookies({ name: 'a' }, ['session=1'])],
])('%s is answered as JSON with the status of the contract', async (_, result) => {
  const response = respond({ answer: json(201, thing) }, result);
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.getSetCookie()).toEqual(result instanceof WithCookies ? ['session=1'] : []);
  expect(await response.json()).toEqual({ name: 'a' });
});

test('a call with two responses is answered with the one that its handler chose', async () => {
  const other = z.object({ count: z.number() });
  const startThing = call({
    ...shared,
    method: 'post',
    path: '/things',
    summary: 'Start',
    answer: json(202, thing),
    otherAnswer: json(200, other),
  });
  route(startThing, async () => ({ name: 'a' }));
  route(startThing, async () => new OtherResult({ count: 1 }));
  // @ts-expect-error: that is neither.
  route(startThing, async () => new OtherResult({ name: 'a' }));
  // @ts-expect-error: it has one response only.
  route(readThing, async () => new OtherResult({ name: 'a' }));
  expect(respond(startThing, { name: 'a' }).status).toBe(202);
  const response = respond(startThing, new OtherResult({ count: 1 }));
  expect([response.status, await response.json()]).toEqual([200, { count: 1 }]);
});

test('a page is answered with its items, and nothing as 204', async () => {
  const written = { items: [jsonOf({ name: 'a' }), jsonOf({ name: 'b' })], next_cursor: null };
  const response = respond(listThings, written);
  expect(await response.json()).toEqual({ items: [{ name: 'a' }, { name: 'b' }], next_cursor: null });
  expect(respond({ answer: none }, undefined).status).toBe(204);
});
