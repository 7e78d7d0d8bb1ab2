import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join, makeOperator } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { allItems, startTestService, type TestService } from '../../support/service.ts';
import { createApiKey } from '../api-keys/key-holder.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T10:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let formId: string;
let path: string;
let people = 0;

beforeAll(async () => {
  service = await startTestService({ clock, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
  path = `/workspaces/${workspaceId}/alarms`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const newEmail = () => `person.${++people}@alarms.example.com`;
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

async function notice(alarmId: string, values: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  const row = {
    ...{ id, workspace_id: workspaceId, alarm_id: alarmId, what: 'opened', at: '2026-11-15T08:00:00Z' },
    ...{ state: 'told', email_state: 'none', ...values },
  };
  const places = Object.keys(row).map((_, i) => `$${i + 1}`);
  await seed.query(`insert into alarm_notices (${Object.keys(row)}) values (${places})`, Object.values(row));
  return id;
}

test('alarms are listed newest first, over pages, by state, kind and form', async () => {
  const closed = { closed_at: '2026-11-15T09:00:00Z', closed_as: 'recovered' };
  const ids: string[] = [];
  for (let hour = 0; hour < 5; hour++) {
    const opened_at = `2026-11-15T0${hour}:00:00Z`;
    const form_id = hour === 2 ? formId : null;
    const kind = hour < 2 ? 'silence' : 'all_rejected';
    const reason = String(hour);
    ids.unshift(
      await seed.alarm(workspaceId, { opened_at, form_id, kind, reason, ...(hour === 0 ? closed : {}) }),
    );
  }
  await seed.alarm(await createWorkspace(service));
  expect(idsOf(await allItems(service, `${path}?limit=2`))).toEqual(ids);
  expect(idsOf(await allItems(service, `${path}?limit=2&state=open`))).toEqual(ids.slice(0, 4));
  expect(idsOf(await allItems(service, `${path}?state=closed`))).toEqual(ids.slice(4));
  expect(idsOf(await allItems(service, `${path}?limit=1&kind=silence`))).toEqual(ids.slice(3));
  expect(idsOf(await allItems(service, `${path}?form_id=${formId}`))).toEqual([ids[2]]);
  const { json } = await service.api('GET', `${path}?limit=2`);
  const cursor = encodeURIComponent(json.next_cursor);
  expect((await service.api('GET', `${path}?state=open&cursor=${cursor}`)).status).toBe(422);
});

test('an alarm shows what is wrong, whether it is muted, and who was told', async () => {
  const evidence = { rejected: 5, minutes: 30, reasons: [], last_accepted_at: null };
  const id = await seed.alarm(workspaceId, {
    form_id: formId,
    names: JSON.stringify({ form: 'Contact' }),
    evidence: JSON.stringify(evidence),
  });
  const digest = await notice(id, {
    alarm_id: null,
    what: 'digest',
    email_state: 'sent',
    emailed_to: [randomUUID()],
  });
  await notice(id, { state: 'digested', digest_id: digest });
  await notice(id, { what: 'reminder', at: '2026-11-15T09:00:00Z', email_state: 'due' });
  const muted_until = '2026-11-16T00:00:00.000Z';
  const rules = [{ kind: 'all_rejected', form_id: formId, muted_until }];
  await service.api('PUT', `/workspaces/${workspaceId}/alarm-settings`, { rules });
  const { json, status } = await service.api('GET', `${path}/${id}`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id,
    kind: 'all_rejected',
    severity: 'high',
    form_id: formId,
    closed_at: null,
    acknowledged_at: null,
    muted_until,
    evidence,
    notices: [
      { what: 'reminder', state: 'told', email_state: 'due', emails_sent: 0 },
      { what: 'opened', state: 'digested', email_state: 'sent', emails_sent: 1 },
    ],
  });
  expect(json.path).toMatch(new RegExp(`^/w/${workspaceId}/`));
});

test('an alarm is acknowledged once, by the first who does', async () => {
  const id = await seed.alarm(workspaceId);
  const email = newEmail();
  const owner = await join(service, workspaceId, email, 'owner');
  expect((await owner.api('POST', `${path}/${id}/acknowledgement`)).status).toBe(204);
  const acknowledged_at = new Date(clock.now()).toISOString();
  clock.advance(1000);
  expect((await service.api('POST', `${path}/${id}/acknowledgement`)).status).toBe(204);
  const { json } = await service.api('GET', `${path}/${id}`);
  expect(json).toMatchObject({ acknowledged_by: email, acknowledged_at });
  const audit = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  expect(JSON.stringify(audit.json)).toContain('acknowledged an alarm');
});

test('one that is closed stays as it is', async () => {
  const id = await seed.alarm(workspaceId, { closed_at: '2026-11-15T09:00:00Z', closed_as: 'recovered' });
  expect((await service.api('POST', `${path}/${id}/acknowledgement`)).status).toBe(204);
  expect((await service.api('GET', `${path}/${id}`)).json.acknowledged_at).toBeNull();
});

test('an alarm of another workspace, or of the instance, does not exist', async () => {
  const foreign = [
    await seed.alarm(await createWorkspace(service)),
    await seed.alarm(null, { kind: 'spool_waiting' }),
    randomUUID(),
  ];
  for (const id of foreign) {
    expect((await service.api('GET', `${path}/${id}`)).status).toBe(404);
    expect((await service.api('POST', `${path}/${id}/acknowledgement`)).status).toBe(404);
  }
  const rows = await seed.query('select from alarms where acknowledged_at is not null and id = any ($1)', [
    foreign,
  ]);
  expect(rows).toEqual([]);
  await seed.query(`delete from alarms where kind = 'spool_waiting'`, []);
});

test('only owners see and acknowledge alarms, and keys with the scope', async () => {
  const id = await seed.alarm(workspaceId);
  const member = await join(service, workspaceId, newEmail(), 'member');
  const settings = `/workspaces/${workspaceId}/alarm-settings`;
  for (const [method, place] of [
    ['GET', path],
    ['GET', `${path}/${id}`],
    ['POST', `${path}/${id}/acknowledgement`],
    ['GET', settings],
    ['PUT', settings],
  ] as const)
    expect((await member.api(method, place, method === 'PUT' ? {} : undefined)).status, place).toBe(403);
  const key = await createApiKey(service, workspaceId, ['alarms:read']);
  const call = (method: string, place: string) =>
    fetch(`${service.url}/api/v1${place}`, { method, headers: { Authorization: `Bearer ${key.key}` } });
  expect((await call('GET', `${path}/${id}`)).status).toBe(200);
  expect((await call('POST', `${path}/${id}/acknowledgement`)).status).toBe(403);
});

test('operators see and acknowledge the alarms of the instance, and nobody else does', async () => {
  const id = await seed.alarm(null, { kind: 'watch_interrupted', severity: 'medium' });
  const ofWorkspace = await seed.alarm(workspaceId);
  const owner = await join(service, workspaceId, newEmail(), 'owner');
  expect((await owner.api('GET', '/operator/alarms')).status).toBe(403);
  expect((await owner.api('POST', `/operator/alarms/${id}/acknowledgement`)).status).toBe(403);
  await makeOperator(service, owner);
  expect(idsOf((await owner.api('GET', '/operator/alarms?state=open')).json.items)).toEqual([id]);
  expect((await owner.api('POST', `/operator/alarms/${id}/acknowledgement`)).status).toBe(204);
  expect((await owner.api('POST', `/operator/alarms/${ofWorkspace}/acknowledgement`)).status).toBe(404);
  const { items } = (await service.api('GET', '/operator/alarms')).json;
  expect(items).toMatchObject([{ id, kind: 'watch_interrupted', acknowledged_by: expect.any(String) }]);
});
