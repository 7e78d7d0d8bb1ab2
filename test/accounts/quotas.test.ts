import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join } from '../support/browser/browser.ts';
import type { ApiAnswer } from '../support/service.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let formId: string;
let owner: Browser;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Full');
  formId = (await createForm(service, workspaceId)).id;
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const letCreate = (chosen: string | null) =>
  service.api('PUT', '/operator/settings', { workspace_creation: chosen });
const refusals = (answers: readonly ApiAnswer[]) =>
  answers.filter(({ status, json }) => status === 409 && json.code === 'quota_reached').length;

test('a person can create or own ten workspaces, even with parallel requests or after handing some on', async () => {
  await letCreate('everyone');
  const asked = await Promise.all(
    Array.from({ length: 14 }, (_, i) => owner.api('POST', '/workspaces', { name: `Own ${i}` })),
  );
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(9);
  expect(refusals(asked)).toBe(5);
  const { id } = asked.find(({ status }) => status === 201)?.json ?? {};
  await join(service, id, 'successor@example.com', 'owner');
  const { json: me } = await owner.api('GET', '/me');
  await owner.api('DELETE', `/workspaces/${id}/members/${me.user.id}`);
  const again = await owner.api('POST', '/workspaces', { name: 'One more' });
  expect(again.json).toMatchObject({
    code: 'quota_reached',
    detail: expect.stringContaining('Ask an operator'),
  });
  expect((await service.api('POST', '/workspaces', { name: 'By the key' })).status).toBe(201);
});

test('by default only operators create workspaces once there is one, and everyone can if they allow it', async () => {
  await letCreate(null);
  const person = await join(service, workspaceId, 'person@example.com', 'member');
  const mayCreate = async () => (await person.api('GET', '/me')).json.may_create_workspaces;
  const create = () => person.api('POST', '/workspaces', { name: 'Mine' });
  expect([await mayCreate(), (await create()).status]).toEqual([true, 201]);
  await seed.query(`update people set operator = true where email = 'owner@example.com'`);
  expect(await mayCreate()).toBe(false);
  const refused = await create();
  expect(refused.json).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('Ask one') });
  expect((await letCreate('everyone')).json).toEqual({
    workspace_creation: 'everyone',
    workspace_creation_chosen: 'everyone',
  });
  expect([await mayCreate(), (await create()).status]).toEqual([true, 201]);
  await seed.query('update people set operator = false');
  await letCreate('operators');
  expect([await mayCreate(), (await create()).status]).toEqual([false, 403]);
});

test('only operators read and change the settings of the service, and each change is in their audit log', async () => {
  for (const [method, body] of [['GET'], ['PUT', { workspace_creation: 'everyone' }]] as const) {
    expect((await owner.api(method, '/operator/settings', body)).status).toBe(403);
  }
  expect((await letCreate('nobody')).status).toBe(422);
  await letCreate('everyone');
  const { json } = await service.api('GET', '/operator/audit');
  expect(json.items[0]).toMatchObject({ changes: { workspace_creation: 'everyone' } });
});

test('a workspace can have a hundred forms, even with parallel requests', async () => {
  await seed.query(
    `insert into forms (workspace_id, id, name, slug, active, fields, replay_protection, created_at, revision)
     select workspace_id, gen_random_uuid(), name, slug || '-' || n, active, fields, replay_protection, created_at, revision
     from forms, generate_series(1, 97) n where id = $1`,
    [formId],
  );
  const create = (name: string) => owner.api('POST', `/workspaces/${workspaceId}/forms`, { name });
  const asked = await Promise.all(['A', 'B', 'C', 'D', 'E'].map(create));
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(refusals(asked)).toBe(3);
  expect((await service.api('POST', `/workspaces/${workspaceId}/forms`, { name: 'By the key' })).status).toBe(
    201,
  );
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/forms?limit=2`);
  for (const form of json.items) await owner.api('DELETE', `/workspaces/${workspaceId}/forms/${form.id}`);
  expect((await create('In its place')).status).toBe(201);
});

test('a workspace can have five hundred tokens, and a revoked one stops counting a day after it was created', async () => {
  const path = `/workspaces/${workspaceId}/tokens`;
  const create = () => owner.api('POST', path, { name: 'Backend', form_id: formId });
  const first = await create();
  await seed.query(
    `insert into tokens (workspace_id, id, form_id, name, type, hash, hint, created_at, revision)
     select workspace_id, gen_random_uuid(), form_id, name, type, sha256(n::text::bytea), hint,
       created_at - interval '2 days', revision
     from tokens, generate_series(1, 497) n where id = $1`,
    [first.json.id],
  );
  const asked = await Promise.all(Array.from({ length: 5 }, create));
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(refusals(asked)).toBe(3);
  expect((await service.api('POST', path, { name: 'By the key', form_id: formId })).status).toBe(201);
  expect((await owner.api('POST', `${path}/${first.json.id}/rotation`, {})).status).toBe(201);
  await owner.api('DELETE', `${path}/${first.json.id}`);
  expect(refusals([await create()])).toBe(1);
  await seed.query(
    `update tokens set revoked_at = now() where workspace_id = $1 and created_at < now() - interval '1 day'`,
    [workspaceId],
  );
  expect((await create()).status).toBe(201);
});

test('a workspace can create and rotate a thousand tokens within a day', async () => {
  const path = `/workspaces/${workspaceId}/tokens`;
  const { json } = await service.api('POST', path, { name: 'Leaked', form_id: formId });
  await seed.query(
    `insert into tokens (workspace_id, id, form_id, name, type, hash, hint, created_at, revoked_at, revision)
     select workspace_id, gen_random_uuid(), form_id, name, type, sha256(('x' || n)::bytea), hint, created_at, now(), revision
     from tokens, generate_series(1, 1000) n where id = $1`,
    [json.id],
  );
  expect(refusals([await owner.api('POST', `${path}/${json.id}/rotation`, {})])).toBe(1);
  expect((await owner.api('DELETE', `${path}/${json.id}`)).status).toBe(204);
});

test('a workspace can have a hundred API keys, even with parallel requests', async () => {
  const path = `/workspaces/${workspaceId}/api-keys`;
  const body = { name: 'Zapier', scopes: ['leads:read'] };
  const first = await owner.api('POST', path, body);
  await seed.query(
    `insert into api_keys (id, workspace_id, name, hash, hint, scopes, created_at)
     select gen_random_uuid(), workspace_id, name, sha256(n::text::bytea), hint, scopes, created_at - interval '2 days'
     from api_keys, generate_series(1, 97) n where id = $1`,
    [first.json.id],
  );
  const asked = await Promise.all(Array.from({ length: 5 }, () => owner.api('POST', path, body)));
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(refusals(asked)).toBe(3);
  expect((await service.api('POST', path, body)).status).toBe(201);
});

test('a workspace can have a hundred people, whether members or invited', async () => {
  const path = `/workspaces/${workspaceId}/invitations`;
  const invited = (who: string) => ({ email: `${who}@example.com`, role: 'member' });
  const invite = (who: string) => owner.api('POST', path, invited(who));
  const first = await invite('first');
  const [{ count }] = await seed.query('select count(*) from memberships where workspace_id = $1', [
    workspaceId,
  ]);
  await seed.query(
    `with newcomers as (
       insert into people (id, name, email, created_at, updated_at)
       select gen_random_uuid(), 'Crowd', 'crowd' || n || '@example.com', now(), now() from generate_series(1, $2) n
       returning id)
     insert into memberships (workspace_id, person_id, role, created_at) select $1, id, 'member', now() from newcomers`,
    [workspaceId, 97 - Number(count)],
  );
  const asked = await Promise.all(['a', 'b', 'c', 'd'].map(invite));
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(refusals(asked)).toBe(2);
  expect((await invite('first')).status).toBe(201);
  const byKey = await service.api('POST', path, invited('key'));
  await join(service, workspaceId, 'late1@example.com', 'member');
  await join(service, workspaceId, 'late2@example.com', 'member');
  await join(service, workspaceId, 'late3@example.com', 'member');
  const accept = (link: string, name: string) =>
    new Browser(service.url).api('POST', '/invitations/accept', {
      token: link.split('#token=')[1],
      name,
      password: goodPassword,
    });
  const { link } = asked.find(({ status }) => status === 201)?.json ?? {};
  expect((await accept(link, 'Too late')).json).toMatchObject({
    code: 'quota_reached',
    detail: expect.stringContaining('open the link again'),
  });
  expect((await accept(byKey.json.link, 'Exempt')).status).toBe(200);
  expect(first.status).toBe(201);
});
