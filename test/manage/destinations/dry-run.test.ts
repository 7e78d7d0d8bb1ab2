import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { createDestination } from './some-deliveries.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const lead = (minute: number, fields: object, values: object = {}) =>
  seed.lead(workspaceId, { received_at: `2026-11-15T08:0${minute}:00Z`, fields, ...values });
const dryRun = (body: object, of = '') => service.api('POST', `${path}${of}/dry-run`, body);

test('a dry run counts the leads that match, and shows the newest three as they would be sent', async () => {
  const ids: string[] = [];
  for (let minute = 0; minute < 5; minute++)
    ids.unshift(await lead(minute, { email: `a${minute}@example.com` }));
  await lead(6, { email: 'spam@example.com' }, { verdict: 'spam' });
  const { status, json } = await dryRun({});
  expect([status, json.checked, json.matching]).toEqual([200, 6, 5]);
  expect(json.examples.map((example: Record<string, string>) => example.submission_id)).toEqual(
    ids.slice(0, 3),
  );
  const body = JSON.parse(json.examples[0].body);
  expect(body).toMatchObject({ type: 'lead.accepted', data: { submission_id: ids[0], verdict: 'clean' } });
});

test('a dry run uses the form, filter, format and mapping that it is given', async () => {
  const form = await createForm(service, workspaceId);
  const long = '{"id": 1234567890123456789, "company": "Acme", "phone": "1"}';
  const wanted = await lead(1, {}, { form_id: form.id });
  await seed.query('update leads set fields = $2 where submission_id = $1', [wanted, long]);
  await lead(2, { company: 'Acme' });
  await lead(3, { company: 'Other' }, { form_id: form.id });
  const { json } = await dryRun({
    form_ids: [form.id],
    filter: { any: [{ field: 'field.company', op: 'eq', value: 'Acme' }] },
    format: 'mapped',
    mapping: [
      { from: 'id', to: 'external_id' },
      { from: '/form/name', to: 'source' },
    ],
  });
  expect(json).toEqual({
    checked: 3,
    matching: 1,
    skipped: 0,
    examples: [
      {
        submission_id: wanted,
        body: '{"external_id":1234567890123456789,"source":"Contact"}',
        message: null,
      },
    ],
    sample: null,
  });
});

test('a dry run of a destination has its settings for what is left out', async () => {
  const filter = { all: [{ field: 'field.company', op: 'eq', value: 'Acme' }] };
  const { id } = await createDestination(service, workspaceId, { filter, format: 'thin' });
  await lead(1, { company: 'Acme' });
  await lead(2, { company: 'Other' });
  const saved = (await dryRun({}, `/${id}`)).json;
  expect([saved.checked, saved.matching]).toEqual([2, 1]);
  expect(JSON.parse(saved.examples[0].body).data).not.toHaveProperty('fields');
  expect((await dryRun({ filter: { all: [] } }, `/${id}`)).json.matching).toBe(2);
  expect((await service.api('GET', `${path}/${id}`)).json).toMatchObject({ filter, version: 1 });
});

test('of many leads the newest 500 are checked, and of none, none', async () => {
  expect((await dryRun({})).json).toMatchObject({ checked: 0, matching: 0, skipped: 0, examples: [] });
  await seed.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset)
     select ('x' || right($1::text, 2))::bit(8)::int % 64, $1::uuid, gen_random_uuid(), gen_random_uuid(), 'server',
       now() - n * interval '1 second', 'body', '{}', 40, 0, 'B', 'clean', '[]', 'test' from generate_series(1, 600) as n`,
    [workspaceId],
  );
  const { json } = await dryRun({});
  expect([json.checked, json.matching, json.examples.length]).toEqual([500, 500, 3]);
});

test('where no lead matches, a sample lead shows what would be sent', async () => {
  const form = await createForm(service, workspaceId, { name: 'Newsletter' });
  const message = {
    title: 'New lead: Ada Lovelace',
    facts: expect.arrayContaining([
      { label: 'email', value: 'ada@example.com' },
      { label: 'Form', value: 'Newsletter' },
    ]),
    url: expect.stringContaining(`/w/${workspaceId}/leads/`),
  };
  const none = (await dryRun({ kind: 'email' })).json;
  expect(none).toMatchObject({ checked: 0, examples: [], sample: { message } });
  expect(none.sample.body).toContain('email: ada@example.com');
  await lead(1, { email: 'spam@example.com' }, { verdict: 'spam' });
  const chat = (await dryRun({ kind: 'chat', service: 'discord', form_ids: [form.id] })).json;
  expect(chat).toMatchObject({ checked: 1, matching: 0, examples: [], sample: { message } });
  const mapped = {
    format: 'mapped',
    mapping: [
      { from: 'email', to: 'mail' },
      { from: '/test', to: 'test' },
    ],
  };
  expect((await dryRun(mapped)).json.sample).toEqual({
    body: '{"mail":"ada@example.com","test":false}',
    message: null,
  });
  await lead(2, { email: 'ada@example.com' });
  expect((await dryRun({ kind: 'email' })).json.sample).toBeNull();
});

test('a sample of a workspace without forms names none, and one that HubSpot would not get is not shown', async () => {
  const { facts } = (await dryRun({ kind: 'chat', link_only: true })).json.sample.message;
  expect(facts).toEqual([{ label: 'Form', value: 'No form yet' }]);
  const mapping = (from: string) => ({ kind: 'hubspot', mapping: [{ from, to: 'email' }] });
  expect((await dryRun(mapping('email'))).json.sample.body).toContain('"id":"ada@example.com"');
  expect((await dryRun(mapping('nothing'))).json.sample).toBeNull();
});

test('a hostile lead is tried like any other', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, i) => [`__proto__${i}`, { constructor: 1 }]),
  );
  await lead(1, { ...many, toString: 'x', 'a"b\\': '</script>', email: 'ada@example.com' });
  const filter = {
    all: [
      { field: 'field.toString', op: 'eq', value: 'x' },
      { field: 'field.hasOwnProperty', op: 'exists', value: false },
    ],
  };
  const mapping = [{ from: '__proto__0', to: '__proto__' }, { from: '*' }];
  const { json } = await dryRun({ filter, format: 'mapped', mapping });
  expect(json.matching).toBe(1);
  expect(json.examples[0].body).toContain('"__proto__":{"constructor":1}');
});

test.each([
  [{ format: 'mapped' }, 'mapping'],
  [{ filter: { all: [{ field: 'x', op: 'eq', value: 1 }] } }, 'filter.all[0]'],
  [{ form_ids: ['7b1b5dd8-3b0c-4c7e-9e7c-0c5a1b2c3d4e'] }, 'form_ids[0]'],
  [{ limit: 5 }, 'limit'],
])('%j is refused', async (body, field) => {
  const { status, json } = await dryRun(body);
  expect([status, json.errors[0].field]).toEqual([422, field]);
});
