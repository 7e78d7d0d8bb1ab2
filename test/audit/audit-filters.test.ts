import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../../src/time/clock.ts';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { type Browser, join, makeOperator } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let formId: string;
let ada: Browser;
let grace: Browser;
let adaId: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Engines');
  formId = (await createForm(service, workspaceId, { name: 'Contact EU' })).id;
  ada = await join(service, workspaceId, 'ada@example.com', 'owner');
  grace = await join(service, workspaceId, 'grace@example.com', 'owner');
  adaId = (await ada.api('GET', '/me')).json.user.id;
  // A minute each, so that the order is certain.
  for (const [who, name] of [
    [ada, 'One'],
    [grace, 'Two'],
    [ada, 'Three'],
  ] as const) {
    clock.advance(minuteMs);
    await who.api('POST', `${at()}/tokens`, { name, form_id: formId });
  }
  clock.advance(minuteMs);
  await ada.api('PATCH', `${at()}/forms/${formId}`, { name: 'Contact' });
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const at = () => `/workspaces/${workspaceId}`;
const list = (query: string, by: Pick<Browser, 'api'> = ada) => by.api('GET', `${at()}/audit?${query}`);
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
const texts = ({ json }: { json: any }): string[] => json.items.map(({ text }: { text: string }) => text);

test('entries are filtered by person, action, group and time, and by all of them together', async () => {
  const tokens = ['ada created ingest token Three', 'grace created ingest token Two'];
  expect(texts(await list('action=createAnIngestToken&limit=2'))).toEqual(tokens);
  expect(texts(await list('action=tokens&limit=2'))).toEqual(tokens);
  const renamed = 'ada renamed form Contact EU to Contact';
  expect(texts(await list(`actor=${adaId}&limit=2`))).toEqual([renamed, tokens[0]]);
  const from = new Date(clock.now() - 2 * minuteMs).toISOString();
  const to = new Date(clock.now()).toISOString();
  expect(texts(await list(`from=${from}&to=${to}`))).toEqual(tokens);
  expect(texts(await list(`from=${from}&to=${to}&actor=${adaId}&action=tokens`))).toEqual([tokens[0]]);
  expect(texts(await list('actor=operator_key&action=forms'))).toEqual([
    'The operator created form Contact EU',
  ]);
  expect(texts(await list(`actor=${randomUUID()}`))).toEqual([]);
  expect(texts(await list('action=renamedLater'))).toEqual([]);
});

test.each([
  ['actor=Ada', 'actor'],
  ['action=drop%20table', 'action'],
  ['from=2026-11-15T08:00:00Z&to=2026-11-15T08:00:00Z', 'to'],
  ['person=1', 'person'],
])('the filter %s is refused', async (query, field) => {
  const { status, json } = await list(query);
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

test('a cursor continues its own filtered list, and no other', async () => {
  const first = await list('action=tokens&limit=1');
  const cursor = first.json.next_cursor;
  const rest = await list(`action=tokens&cursor=${cursor}`);
  expect([...texts(first), ...texts(rest)]).toEqual(texts(await list('action=tokens')));
  for (const other of ['', 'action=forms', `action=tokens&actor=${adaId}`]) {
    const refused = await list(`${other}&cursor=${cursor}`);
    expect([other, refused.status, refused.json.code]).toEqual([other, 422, 'invalid_cursor']);
  }
  const plain = (await list('limit=1')).json.next_cursor;
  expect((await list(`action=tokens&cursor=${plain}`)).json.code).toBe('invalid_cursor');
});

test('an entry keeps the names of its time, also when a person, form or token is renamed or removed', async () => {
  const max = await join(service, workspaceId, 'max@example.com', 'member');
  const { id } = (await max.api('GET', '/me')).json.user;
  clock.advance(minuteMs);
  await ada.api('DELETE', `${at()}/members/${id}`);
  await seed.query(`update people set name = 'Someone Else' where id = $1`, [id]);
  const [entry] = (await list('action=people&limit=1')).json.items;
  expect(entry).toMatchObject({ text: 'ada removed max', subject: { kind: 'person', id, name: 'max' } });
  await seed.query('delete from people where id = $1', [id]);
  expect(texts(await list('action=people&limit=1'))).toEqual(['ada removed max']);
});

test('setting a webhook secret is told from rotating it', async () => {
  const form = await createForm(service, workspaceId, { name: 'Shop' });
  for (const _ of ['set', 'rotated']) {
    clock.advance(minuteMs);
    await ada.api('PUT', `${at()}/forms/${form.id}/webhook-secret`, {});
  }
  expect(texts(await list('action=setOrRotateTheWebhookSecret&limit=2'))).toEqual([
    'ada rotated the webhook secret of Shop',
    'ada set a webhook secret for Shop',
  ]);
});

test('an owner learns no names of other workspaces or of people outside, not even if a call fails halfway', async () => {
  const other = await createWorkspace(service, 'Rivals');
  const form = await createForm(service, other, { name: 'Secret project' });
  const eve = await join(service, other, 'eve@example.com', 'member');
  const eveId = (await eve.api('GET', '/me')).json.user.id;
  // As if the service had been killed after the entry and before the refusal.
  await seed.query('create table held (like audit_log)');
  await seed.query(`create function hold() returns trigger language plpgsql as
    $$ begin insert into held select old.*; return old; end $$`);
  await seed.query('create trigger hold before delete on audit_log for each row execute function hold()');
  expect((await ada.api('DELETE', `${at()}/members/${eveId}`)).status).toBe(404);
  expect((await ada.api('DELETE', `${at()}/forms/${form.id}`)).status).toBe(404);
  await seed.query('drop trigger hold on audit_log');
  await seed.query('insert into audit_log select * from held');
  const { json, text } = await list('');
  const unknown = json.items.filter(({ outcome }: { outcome: string }) => outcome === 'unknown');
  expect(unknown.map((item: { text: string }) => item.text)).toEqual(
    expect.arrayContaining([
      `ada removed person ${eveId.slice(-8)}`,
      `ada deleted form ${form.id.slice(-8)}`,
    ]),
  );
  expect(text).not.toMatch(/Secret project|"eve|Rivals/);
});

test('operators see whom they suspended, and can ask for one workspace', async () => {
  const other = await createWorkspace(service, 'Acme Ltd');
  await makeOperator(service, grace);
  clock.advance(minuteMs);
  await grace.api('PATCH', `/workspaces/${other}`, { status: 'suspended', reason: 'Unpaid' });
  clock.advance(minuteMs);
  await service.api('PATCH', `/workspaces/${other}`, { status: 'active' });
  const ofOther = await grace.api('GET', `/operator/audit?workspace_id=${other}`);
  expect(texts(ofOther)).toEqual([
    'The operator resumed Acme Ltd',
    'grace suspended Acme Ltd',
    'The operator created workspace Acme Ltd',
  ]);
  expect(ofOther.json.items[0].workspace_id).toBe(other);
  const by = await grace.api('GET', `/operator/audit?actor=${(await grace.api('GET', '/me')).json.user.id}`);
  expect(texts(by)).toEqual(['grace suspended Acme Ltd']);
  expect((await ada.api('GET', '/operator/audit')).status).toBe(403);
});
