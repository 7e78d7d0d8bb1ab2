import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { HurriedClock } from '../../support/clocks.ts';
import { endLockWaiters, lockWaiters } from '../../support/database/lock-waiters.ts';
import { eventually } from '../../support/diagnostics.ts';
import { startTestService } from '../../support/service.ts';
import { createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace } from './seed.ts';
import {
  at,
  ended,
  enter,
  erase,
  fill,
  fillMany,
  keyHolder,
  leads,
  lockLeads,
  mark,
  pool,
  read,
  rows,
  seed,
  service,
  startActions,
  stopActions,
  undo,
  verdicts,
  waitingForLeads,
  workspaceId,
} from './some-actions.ts';

beforeAll(startActions);
beforeEach(() => enter());
afterAll(stopActions);

test('an action ends with the permission of whoever started it', async () => {
  await join(service, workspaceId, `${randomUUID()}@example.com`, 'owner');
  const owner = await join(service, workspaceId, `${randomUUID()}@example.com`, 'owner');
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const idOf = async (who: Browser) => (await who.api('GET', '/me')).json.user.id;
  const memberAt = async (who: Browser) => `/workspaces/${workspaceId}/members/${await idOf(who)}`;
  const key = await createApiKey(service, workspaceId, ['leads:erase', 'leads:read']);
  const withKey = { api: keyHolder(service, key.key) };
  const all = { filter: {}, any_number: true };
  /** The first step waits until the permission is lost. */
  const interrupted = async (
    start: () => Promise<{ json: { id: string } }>,
    lose: () => Promise<unknown>,
  ) => {
    await pool.query('delete from leads where workspace_id = $1', [workspaceId]);
    await fillMany(1_100);
    const unlock = await lockLeads('all');
    const { json } = await start();
    await eventually(
      () => lockWaiters(service.databaseUrl, waitingForLeads),
      (count) => count > 0,
    );
    await lose();
    await unlock();
    const { state, stop_reason, done } = await ended(json.id);
    return { state, stop_reason, done };
  };
  const stopped = { state: 'stopped', stop_reason: 'permission', done: 1_000 };
  expect(
    await interrupted(
      () => mark({ ...all, mark: 'spam' }, member),
      async () => service.api('DELETE', await memberAt(member)),
    ),
  ).toEqual({ ...stopped, done: 500 });
  expect(
    await interrupted(
      () => erase(all, owner),
      async () => service.api('PATCH', await memberAt(owner), { role: 'member' }),
    ),
  ).toEqual(stopped);
  expect(
    await interrupted(
      () => erase(all, withKey),
      () => service.api('DELETE', `/workspaces/${workspaceId}/api-keys/${key.id}`),
    ),
  ).toEqual(stopped);
});

test('members mark but do not erase, nor stop an erasure; a key needs the scope; others see nothing', async () => {
  const [id = ''] = await fill(1);
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const outsider = await join(
    service,
    await createWorkspace(service),
    `${randomUUID()}@example.com`,
    'owner',
  );
  const marker = { api: keyHolder(service, (await createApiKey(service, workspaceId, ['leads:mark'])).key) };
  expect((await erase({ ids: [id] }, member)).status).toBe(403);
  expect((await erase({ ids: [id] }, marker)).json.code).toBe('scope_missing');
  // The number of leads that match would say what is in them.
  const guess = { filter: { q: 'a' }, expected_count: 0, mark: 'spam' };
  expect((await mark(guess, marker)).json.code).toBe('scope_missing');
  expect((await mark({ ids: [id], mark: 'spam' }, outsider)).status).toBe(404);
  const unlock = await lockLeads('oldest');
  const { json } = await erase({ ids: [id] });
  for (const who of [member, marker])
    expect((await who.api('POST', at(`/${json.id}/stop`))).status).toBe(403);
  expect((await outsider.api('GET', at(`/${json.id}`))).status).toBe(404);
  await unlock();
  await ended(json.id);
  const { json: marking } = await mark({ ids: [id], mark: 'spam' }, marker);
  expect(await ended(marking.id)).toMatchObject({
    changed: 0,
    created_by: expect.stringContaining('API key'),
  });
});

test('while an action waits, its ID is not taken for other leads, and a later mark is not taken for an earlier one', async () => {
  const [first = '', second = ''] = await fill(2);
  const unlock = await lockLeads('oldest');
  const id = randomUUID();
  expect((await mark({ id, ids: [first], mark: 'spam' })).json).toEqual({ id });
  expect((await mark({ id, ids: [second], mark: 'spam' })).json.code).toBe('action_conflict');
  const middle = await mark({ ids: [first], mark: 'not_spam' });
  const last = await mark({ ids: [first], mark: 'spam' });
  expect(new Set([id, middle.json.id, last.json.id]).size).toBe(3);
  await unlock();
  await ended(last.json.id);
  expect(await verdicts()).toEqual({ [first]: 'spam', [second]: 'clean' });
});

test('an action that is stopped keeps what it has done, which can be undone', async () => {
  await fillMany(1_100);
  const unlock = await lockLeads('oldest');
  const { json } = await mark({ filter: {}, any_number: true, mark: 'spam' });
  await eventually(
    () => read(json.id),
    ({ done }) => done === 1_000,
  );
  const stopping = service.api('POST', at(`/${json.id}/stop`));
  await unlock();
  expect((await stopping).status).toBe(204);
  const { changed } = await ended(json.id);
  const undone = await undo(json.id);
  expect(await ended(undone.json.id)).toMatchObject({ total: changed, changed });
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['clean']));
});

test('a suspended workspace can mark and erase, and a form that is deleted meanwhile stops nothing', async () => {
  const form = await service.api('POST', `/workspaces/${workspaceId}/forms`, {
    name: 'Contact',
    slug: randomUUID(),
  });
  await fill(2, { form_id: form.json.id });
  await service.api('DELETE', `/workspaces/${workspaceId}/forms/${form.json.id}`);
  await service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'suspended' });
  const { json } = await mark({ filter: {}, expected_count: 2, mark: 'not_spam' });
  expect(await ended(json.id)).toMatchObject({ state: 'finished', changed: 2 });
  const erasure = await erase({ filter: { form_id: form.json.id }, expected_count: 2 });
  expect(await ended(erasure.json.id)).toMatchObject({ state: 'finished', changed: 2 });
});

test('a filter with a key that cannot be stored is refused', async () => {
  for (const key of ['\0', '\ud800'])
    expect((await mark({ filter: { [`field.${key}`]: 'x' }, any_number: true, mark: 'spam' })).status).toBe(
      422,
    );
});

test('a filter that has matched nothing when the time to count is over still decides what is erased', async () => {
  await fillMany(10_001);
  const clock = new HurriedClock();
  const slow = await startTestService({
    env: { ROLE: 'manage' },
    databaseUrl: service.databaseUrl,
    clock,
  });
  clock.isHurried = true;
  const { json } = await erase({ filter: { q: 'nobody has sent this' }, any_number: true }, slow);
  clock.isHurried = false;
  await slow.stop();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', total: 0, changed: 0 });
  expect(await leads()).toBe(10_001);
});

test('a step of an erasure reads no more than some megabytes of bodies, and all leads are erased in the end', async () => {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(131_072 - '{"text":""}'.length) }));
  await fill(40, { body });
  const unlock = await lockLeads('oldest');
  const { json } = await erase({ filter: {}, expected_count: 40 });
  // The second step waits for the oldest lead.
  await eventually(
    () => lockWaiters(service.databaseUrl, waitingForLeads),
    (count) => count > 0,
  );
  expect(await read(json.id)).toMatchObject({ done: 32, changed: 32 });
  await unlock();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', done: 40, changed: 40 });
  expect(await leads()).toBe(0);
});

test('an erasure of large leads that are chosen by their IDs leaves none of them', async () => {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(131_072 - '{"text":""}'.length) }));
  const ids = await fill(40, { body });
  const [kept = '', ...chosen] = ids;
  const { json } = await erase({ ids: chosen });
  expect(await ended(json.id)).toMatchObject({ state: 'finished', done: 39, changed: 39 });
  expect(Object.keys(await verdicts())).toEqual([kept]);
});

test('an erasure of many leads continues where its instance was killed', async () => {
  await fillMany(2_300);
  const unlock = await lockLeads('oldest');
  const { json } = await erase({ filter: {}, expected_count: 2_300 });
  await eventually(
    () => endLockWaiters(service.databaseUrl, waitingForLeads),
    (count) => count > 0,
  );
  expect(await read(json.id)).toMatchObject({ state: 'running', done: 2_000, changed: 2_000 });
  await unlock();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', done: 2_300, changed: 2_300 });
  const [left] = await rows('select count(*)::int as count from lead_erasures where workspace_id = $1');
  expect(left).toEqual({ count: 2_300 });
});

test('a workspace with much to do does not keep another one waiting', async () => {
  await fillMany(4_000);
  const { json: long } = await mark({ filter: {}, any_number: true, mark: 'spam' });
  const [busy, elsewhere] = [workspaceId, await createWorkspace(service)];
  await enter(elsewhere);
  const [id] = await fill(1);
  const { json: short } = await mark({ ids: [id], mark: 'spam' });
  await ended(short.id);
  await enter(busy);
  expect((await read(long.id)).state).toBe('running');
  expect(await ended(long.id)).toMatchObject({ changed: 4_000 });
});

test('chosen leads are exported by their IDs, newest first, and none of another workspace', async () => {
  const [oldest = '', , newest = ''] = await fill(3);
  const foreign = await seed.lead(await createWorkspace(service), {});
  const ids = [oldest, newest, foreign];
  const { text } = await service.api('POST', `/workspaces/${workspaceId}/leads/export`, {
    ids,
    format: 'ndjson',
  });
  const exported = text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line).submission_id);
  expect(exported).toEqual([newest, oldest]);
  const csv = await service.api('POST', `/workspaces/${workspaceId}/leads/export`, { ids });
  expect(csv.text.trim().split('\r\n')).toHaveLength(3);
});
