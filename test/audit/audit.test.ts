import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { type Browser, goodPassword, join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let owner: Browser;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Engines');
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

async function entries(): Promise<{ action: string }[]> {
  return (await owner.api('GET', `/workspaces/${workspaceId}/audit`)).json.items;
}

/** The newest entry; time goes on before the call, so that it is the newest. */
async function entryOf(work: () => Promise<unknown>): Promise<unknown> {
  clock.advance(1000);
  await work();
  return (await entries())[0];
}

test('a change by a person is recorded with who, what and which values', async () => {
  const me = (await owner.api('GET', '/me')).json.user;
  const entry = await entryOf(() => owner.api('PATCH', `/workspaces/${workspaceId}`, { name: 'Mills' }));
  expect(entry).toEqual({
    id: expect.any(String),
    at: new Date(clock.now()).toISOString(),
    actor: { kind: 'person', id: me.id, name: 'owner@example.com' },
    text: 'owner renamed workspace Engines to Mills',
    subject: { kind: 'workspace', id: workspaceId, name: 'Engines' },
    series: { before: 'owner renamed workspace Engines to Mills (', after: ' times)' },
    action: 'renameSuspendOrResumeAWorkspace',
    target: {},
    changes: { name: 'Mills' },
    address: '127.0.0.1',
    count: 1,
    outcome: 'done',
  });
});

test('actions with the operator key are recorded as such, with the reason', async () => {
  const body = { status: 'suspended', reason: 'Unpaid' };
  const entry = await entryOf(() => service.api('PATCH', `/workspaces/${workspaceId}`, body));
  expect(entry).toMatchObject({
    actor: { kind: 'operator_key', id: null, name: 'operator' },
    changes: { status: 'suspended', reason: 'Unpaid' },
  });
  await service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'active' });
});

test('no secret is in the log: no token, webhook secret, password or link', async () => {
  const form = await createForm(service, workspaceId);
  const made = await owner.api('POST', `/workspaces/${workspaceId}/tokens`, { name: 'T', form_id: form.id });
  const secret = 'a webhook secret that the owner chose';
  const path = `/workspaces/${workspaceId}/forms/${form.id}/webhook-secret`;
  const entry = await entryOf(() => owner.api('PUT', path, { secret, overlap_seconds: 60 }));
  expect(entry).toMatchObject({
    target: { form_id: form.id },
    changes: { secret: '…', overlap_seconds: 60 },
  });
  const body = { email: 'guest@example.com', role: 'member' };
  const invited = await owner.api('POST', `/workspaces/${workspaceId}/invitations`, body);
  const kept = JSON.stringify(await seed.query('select * from audit_log'));
  const token = invited.json.link.split('#token=')[1];
  for (const secretText of [made.json.token, secret, token, goodPassword]) {
    expect(kept).not.toContain(secretText);
  }
});

test('the entry names what was created', async () => {
  let id = '';
  const entry = await entryOf(async () => {
    id = (await owner.api('POST', `/workspaces/${workspaceId}/forms`, { name: 'Made' })).json.id;
  });
  expect(entry).toMatchObject({ action: 'createAForm', target: { id }, changes: { name: 'Made' } });
});

test('a call that fails or only reads leaves no entry; a denied one is recorded as denied', async () => {
  const before = await entries();
  const missing = `/workspaces/${workspaceId}/forms/8f14e45f-ceea-467f-a8f4-111111111111`;
  expect((await owner.api('DELETE', missing)).status).toBe(404);
  expect((await owner.api('PATCH', `/workspaces/${workspaceId}`, {})).status).toBe(422);
  await owner.api('GET', `/workspaces/${workspaceId}/leads`);
  clock.advance(1000);
  expect((await owner.api('PATCH', `/workspaces/${workspaceId}`, { status: 'active' })).status).toBe(403);
  // Refusals are written a moment later.
  const after = await eventually(entries, (all) => all.length > before.length);
  expect(after[0]).toMatchObject({ action: 'accessRefused' });
  expect(after.slice(1)).toEqual(before);
});

test('joining and creating are in the log of the workspace they concern', async () => {
  const created = await owner.api('POST', '/workspaces', { name: 'Second' });
  const { json } = await owner.api('GET', `/workspaces/${created.json.id}/audit`);
  expect(json.items).toMatchObject([{ action: 'createAWorkspace', actor: { name: 'owner@example.com' } }]);
  const actions = (await entries()).map(({ action }) => action);
  expect(actions).toContain('acceptAnInvitation');
});

test('a change with an unknown outcome is marked as such', async () => {
  clock.advance(1000);
  await seed.query(`alter table forms add constraint broken check (name <> 'breaks')`);
  const answer = await owner.api('POST', `/workspaces/${workspaceId}/forms`, { name: 'breaks' });
  expect(answer.status).toBe(500);
  expect((await entries())[0]).toMatchObject({ action: 'createAForm', outcome: 'unknown' });
});

test('the log is paged, newest first', async () => {
  const first = await owner.api('GET', `/workspaces/${workspaceId}/audit?limit=2`);
  expect(first.json.items).toHaveLength(2);
  const next = await owner.api(
    'GET',
    `/workspaces/${workspaceId}/audit?limit=2&cursor=${first.json.next_cursor}`,
  );
  const all = [...first.json.items, ...next.json.items];
  expect(all).toEqual((await entries()).slice(0, 4));
});
