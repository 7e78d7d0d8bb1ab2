import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nextDirectoryRevision } from '../../../src/db/directory/directory-revision.ts';
import { lockModel, publishModel } from '../../../src/db/forms/form-learning.ts';
import { wordHash } from '../../../src/domain/score/reading/word-hash.ts';
import { join } from '../../support/browser/browser.ts';
import { openTestPool } from '../../support/database/database.ts';
import { lockWaiters } from '../../support/database/lock-waiters.ts';
import { eventually } from '../../support/diagnostics.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { drones, many, ordinary, TaughtForm } from './taught-form.ts';

let service: TestService;
let seed: Seed;
let form: TaughtForm;
let people = 0;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
});
beforeEach(async () => {
  const workspaceId = await createWorkspace(service);
  form = new TaughtForm(service, seed, workspaceId, (await createForm(service, workspaceId)).id);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

async function newMember() {
  const browser = await join(service, form.workspaceId, `marker${people++}@example.com`, 'member');
  return { api: browser.api.bind(browser), id: (await browser.api('GET', '/me')).json.user.id };
}

async function forget() {
  const { status, json, text } = await service.api('DELETE', `${form.path}/learning`);
  expect(status, text).toBe(200);
  return json;
}

test('a form whose leads nobody has marked has learned nothing', async () => {
  expect(await form.learning()).toEqual({
    enabled: true,
    state: 'collecting',
    number: null,
    leads: { spam: 0, not_spam: 0 },
    needed: { of_each: 5, of_one: 10 },
    people: 0,
    since: null,
    learned_at: null,
    forgotten_at: null,
    forgotten_by: null,
    points: { spam: 20, not_spam: -20 },
    words: { spam: 0, not_spam: 0 },
    domains: [],
  });
});

test('marks are learned from once there are enough, and counted by mark and person', async () => {
  await form.leads(many(20, ordinary));
  const ids = await form.leads(many(10, drones));
  await form.mark(ids.slice(0, 9), 'spam');
  const before = await form.until(({ leads }) => leads.spam === 9);
  expect(before).toMatchObject({ state: 'collecting', number: null, people: 1 });
  const member = await newMember();
  await form.mark(ids.slice(9), 'spam', member.api);
  const after = await form.until(({ state }) => state === 'learned');
  expect(after).toMatchObject({ number: 1, leads: { spam: 10, not_spam: 0 }, people: 2 });
  expect(after.words.spam).toBeGreaterThan(3);
  expect(after.words.not_spam).toBe(0);
  expect(Date.parse(after.since ?? '')).toBeLessThanOrEqual(Date.parse(after.learned_at ?? ''));
});

test('domains of addresses and links are shown with what they speak for, and words only as a number', async () => {
  await form.leads(many(20, ordinary));
  const fields = many(10, (n) => ({
    ...drones(n),
    email: `x${n}@fleet.de`,
    message: `${drones(n).message}, see https://sky.example/x`,
  }));
  await form.mark(await form.leads(fields), 'spam');
  const { domains } = await form.until(({ state }) => state === 'learned');
  expect(domains).toContainEqual({ domain: 'fleet.de', kind: 'email', mark: 'spam' });
  expect(domains).toContainEqual({ domain: 'sky.example', kind: 'link', mark: 'spam' });
  const [{ model }] = await seed.query('select model::text from form_learning where form_id = $1', [
    form.formId,
  ]);
  expect(model).not.toMatch(/drone|pilots/i);
});

test('a mark that is removed or replaced no longer counts, and each lead counts with its latest mark', async () => {
  const ids = await form.leads(many(4, drones));
  for (const mark of ['spam', null, 'not_spam', 'spam', 'not_spam']) await form.mark(ids.slice(0, 1), mark);
  await form.mark(ids.slice(1), 'spam');
  await form.mark(ids.slice(1, 2), null);
  expect(await form.settled()).toMatchObject({ leads: { spam: 2, not_spam: 1 } });
});

test('marks on leads of another form or workspace teach nothing', async () => {
  const other = (await createForm(service, form.workspaceId, { name: 'Other' })).id;
  const sibling = new TaughtForm(service, seed, form.workspaceId, other);
  const foreign = await createWorkspace(service);
  const stranger = new TaughtForm(service, seed, foreign, form.formId);
  await sibling.mark(await sibling.leads(many(10, drones)), 'spam');
  await stranger.mark(await stranger.leads(many(10, drones)), 'spam');
  await form.mark(await form.leads([ordinary(1)]), 'spam');
  expect(await sibling.settled()).toMatchObject({ leads: { spam: 10 } });
  expect(await form.settled()).toMatchObject({ leads: { spam: 1, not_spam: 0 } });
});

test('what someone marked stops counting when they leave the workspace, or when their key is revoked', async () => {
  const member = await newMember();
  const key = await createApiKey(service, form.workspaceId, ['leads:read', 'leads:mark']);
  const ids = await form.leads(many(6, drones));
  await form.mark(ids.slice(0, 3), 'spam', member.api);
  await form.mark(ids.slice(3, 5), 'spam', (method, path, body) =>
    callWithKey(service, key.key, method, path, body as object),
  );
  await form.mark(ids.slice(5), 'spam');
  await form.until(({ leads, people: count }) => leads.spam === 6 && count === 3);
  await service.api('DELETE', `/workspaces/${form.workspaceId}/members/${member.id}`);
  await form.until(({ leads }) => leads.spam === 3);
  await service.api('DELETE', `/workspaces/${form.workspaceId}/api-keys/${key.id}`);
  await form.until(({ leads, people: count }) => leads.spam === 1 && count === 1);
});

test('an erased lead leaves nothing behind in what was learned', async () => {
  await form.leads(many(20, ordinary));
  const ids = await form.leads(many(10, drones));
  await form.mark(ids, 'spam');
  await form.until(({ state }) => state === 'learned');
  await service.api('DELETE', `/workspaces/${form.workspaceId}/leads/${ids[0]}`);
  expect(await form.until(({ leads }) => leads.spam === 9)).toMatchObject({
    state: 'collecting',
    number: null,
  });
});

test('a form forgets what it has learned and learns again, while the marks stay', async () => {
  await form.leads(many(20, ordinary));
  const ids = await form.leads(many(10, drones));
  await form.mark(ids, 'spam');
  await form.until(({ state }) => state === 'learned');
  const forgotten = await forget();
  expect(forgotten).toMatchObject({
    state: 'collecting',
    number: null,
    leads: { spam: 0 },
    forgotten_by: 'operator',
  });
  expect(await form.settled()).toMatchObject({ state: 'collecting', leads: { spam: 0 }, people: 0 });
  const { json } = await service.api('GET', `/workspaces/${form.workspaceId}/leads/${ids[0]}`);
  expect(json).toMatchObject({ verdict: 'spam', mark: { mark: 'spam' } });
  const more = await form.leads(many(10, (n) => drones(n + 40)));
  await form.mark(more, 'spam');
  expect(await form.until(({ state }) => state === 'learned')).toMatchObject({
    number: 2,
    leads: { spam: 10 },
  });
});

test('a form can forget while an instance saves what it has learned', async () => {
  await forget();
  await form.settled();
  const pool = openTestPool(service.databaseUrl);
  const client = await pool.connect();
  await client.query('begin');
  await lockModel(client, form.formId);
  const forgotten = forget();
  const waiting = () => lockWaiters(service.databaseUrl, { query: '%form_learning%' });
  await eventually(waiting, (count) => count > 0);
  await publishModel(client, form.formId, await nextDirectoryRevision(client));
  await client.query('commit');
  client.release();
  expect(await forgotten).toMatchObject({ state: 'collecting' });
  await pool.end();
});

test('the audit log says who made a form forget', async () => {
  await forget();
  const { json } = await service.api('GET', `/workspaces/${form.workspaceId}/audit`);
  expect(json.items[0].text ?? json.items[0].summary).toMatch(
    /made Contact forget what it had learned from marks/,
  );
});

test('learning is turned off in the settings, and its points can only be lowered', async () => {
  await service.api('PUT', form.path, {
    settings: { learning: { enabled: false }, weights: { LEARNED_SPAM: 12 } },
  });
  expect(await form.learning()).toMatchObject({
    enabled: false,
    state: 'off',
    points: { spam: 12, not_spam: -20 },
  });
  for (const [code, points] of [
    ['LEARNED_SPAM', 21],
    ['LEARNED_SPAM', -1],
    ['LEARNED_WANTED', -21],
    ['LEARNED_WANTED', 1],
  ] as const) {
    const { status, json } = await service.api('PUT', form.path, {
      settings: { weights: { [code]: points } },
    });
    expect([status, json.errors[0].field]).toEqual([422, `settings.weights.${code}`]);
  }
});

test('a thousand marks by one person in a minute count as a hundred leads, and no more than those of others', async () => {
  const member = await newMember();
  const { email } = (await member.api('GET', '/me')).json.user;
  await form.leads(many(20, ordinary));
  const honest = await form.leads(many(10, drones));
  await form.mark(honest, 'spam');
  const flood = await form.leads(
    many(1_000, (n) => ({ message: `${drones(n).message} ${drones(n * 3 + 1).message}` })),
  );
  await seed.query(
    `insert into lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by)
     select shard, workspace_id, submission_id, 1, 'not_spam', '2026-11-20T10:00:00Z'::timestamptz + n * interval '60 ms', $2
     from leads join unnest($1::uuid[]) with ordinality as m (id, n) on id = submission_id`,
    [flood, email],
  );
  await form.mark(honest.slice(0, 1), null);
  await form.mark(honest.slice(0, 1), 'spam');
  const learned = await form.until(({ leads }) => leads.not_spam > 0 && leads.spam === 10);
  expect(learned.leads.not_spam).toBeLessThanOrEqual(100);
  // The word of one against that of another: neither counts.
  const [{ model }] = await seed.query('select model from form_learning where form_id = $1', [form.formId]);
  for (const word of ['drone', 'pilots', 'photograph', 'aerial'])
    expect(model?.words ?? []).not.toContain(wordHash(word));
});
