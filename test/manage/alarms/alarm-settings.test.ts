import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let sender: Sender;
let path: string;

beforeAll(async () => {
  service = await startTestService({ env: { ROLE: 'manage' } });
});
beforeEach(async () => {
  sender = await createSender(service);
  path = `/workspaces/${sender.workspaceId}/alarm-settings`;
});
afterAll(() => service.stop());

const read = async () => (await service.api('GET', path)).json;
const save = (settings: object) => service.api('PUT', path, settings);

test('settings have defaults until someone changes them', async () => {
  expect(await read()).toEqual({
    version: 0,
    email_owners: true,
    emails_available: false,
    time_zone: 'UTC',
    digest_hour: 8,
    rules: [],
    updated_at: null,
    updated_by: null,
  });
});

test('settings are replaced as a whole, and read as they were saved', async () => {
  const rule = {
    kind: 'silence',
    form_id: sender.formId,
    token_id: sender.tokenId,
    enabled: true,
    sensitive: true,
    silent_days: 3,
    muted_until: '2030-01-01T00:00:00.000Z',
  };
  const saved = await save({
    time_zone: 'Europe/Berlin',
    digest_hour: 0,
    email_owners: false,
    rules: [rule],
  });
  expect(saved.status).toBe(200);
  expect(await read()).toEqual(saved.json);
  expect(saved.json).toMatchObject({
    version: 1,
    email_owners: false,
    time_zone: 'Europe/Berlin',
    digest_hour: 0,
    rules: [rule],
    updated_by: 'operator',
  });
  expect((await save({})).json).toMatchObject({
    version: 2,
    email_owners: true,
    time_zone: 'UTC',
    rules: [],
  });
  const audit = await service.api('GET', `/workspaces/${sender.workspaceId}/audit`);
  expect(JSON.stringify(audit.json)).toContain('changed the alarm settings');
});

test('a change that is based on an older version is refused, and changes nothing', async () => {
  expect((await save({ expected_version: 0, digest_hour: 1 })).status).toBe(200);
  const late = await save({ expected_version: 0, digest_hour: 2 });
  expect([late.status, late.json.code]).toEqual([409, 'version_conflict']);
  expect(await read()).toMatchObject({ version: 1, digest_hour: 1 });
});

test('of two changes at the same time one is refused', async () => {
  const answers = await Promise.all([1, 2].map((digest_hour) => save({ expected_version: 0, digest_hour })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('rules are about forms and tokens of the workspace only', async () => {
  const other = await createSender(service);
  const second = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Second' });
  const wrong: [object, string][] = [
    [{ form_id: other.formId }, 'rules.0.form_id'],
    [{ form_id: randomUUID() }, 'rules.0.form_id'],
    [{ form_id: sender.formId, token_id: other.tokenId }, 'rules.0.token_id'],
    [{ form_id: second.json.id, token_id: sender.tokenId }, 'rules.0.token_id'],
    [{ token_id: sender.tokenId }, 'rules.0.form_id'],
  ];
  for (const [rule, field] of wrong) {
    const { status, json } = await save({ rules: [{ kind: 'silence', ...rule }] });
    expect([status, json.code, json.errors[0].field]).toEqual([422, 'invalid_input', field]);
  }
  expect(await read()).toMatchObject({ version: 0, rules: [] });
});

test('rules about what was deleted since are no longer shown, so that the rest can be saved again', async () => {
  const rules = [{ kind: 'silence', form_id: sender.formId }, { kind: 'silence' }];
  await save({ rules });
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`);
  const { version, email_owners, time_zone, digest_hour, rules: left } = await read();
  expect(left).toMatchObject([{ kind: 'silence', form_id: null }]);
  const again = { email_owners, time_zone, digest_hour, rules: left, expected_version: version };
  expect((await save(again)).status).toBe(200);
});

const rule = (values: object) => ({ rules: [{ kind: 'silence', ...values }] });
const hostile: [string, object][] = [
  ['an unknown member', { emails: true }],
  ['an unknown member of a rule', rule({ mute: true })],
  ['an unknown kind', { rules: [{ kind: '__proto__' }] }],
  ['a kind of the instance', { rules: [{ kind: 'spool_waiting' }] }],
  ['an unknown time zone', { time_zone: 'Mars/Olympus' }],
  ['a time zone with NUL', { time_zone: 'UTC\0' }],
  ['an empty time zone', { time_zone: '' }],
  ['a long time zone', { time_zone: 'x'.repeat(10_000) }],
  ['an hour that no day has', { digest_hour: 24 }],
  ['a negative hour', { digest_hour: -1 }],
  ['half an hour', { digest_hour: 7.5 }],
  ['an hour as text', { digest_hour: '8' }],
  ['text instead of true', { email_owners: 'yes' }],
  ['a form that is no ID', rule({ form_id: "' or 1=1 --" })],
  ['a time that is none', rule({ muted_until: 'forever' })],
  ['a time in year 10000', rule({ muted_until: '10000-01-01T00:00:00Z' })],
  ['too many days', rule({ silent_days: 91 })],
  ['no days', rule({ silent_days: 0 })],
  ['days without silence', { rules: [{ kind: 'spam_surge', silent_days: 3 }] }],
  ['sensitive without silence', { rules: [{ kind: 'spam_surge', sensitive: true }] }],
  ['two rules about the same', { rules: [{ kind: 'silence' }, { kind: 'silence', enabled: false }] }],
  ['too many rules', { rules: Array.from({ length: 501 }, () => ({ kind: 'silence' })) }],
  ['rules that are no list', { rules: { length: 1 } }],
  ['a negative version', { expected_version: -1 }],
];

test.each(hostile)('refused, and nothing is saved: %s', async (_, settings) => {
  const { status, json } = await save(settings);
  expect([status, json.code]).toEqual([422, 'invalid_input']);
  expect((await read()).version).toBe(0);
});
