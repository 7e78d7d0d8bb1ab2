import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Rhythms } from '../../../src/alarms/rhythms.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { createForm, createWorkspace } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { every, SilenceWorld } from './silence-world.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const weekMs = 7 * dayMs;
const clock = new ManualClock(now);
let service: TestService;
let pool: pg.Pool;
let workspaceId: string;
let formId: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const path = (form = formId, workspace = workspaceId) => `/workspaces/${workspace}/forms/${form}/rhythm`;
const rhythm = async () => (await service.api('GET', path())).json;
const learn = () => new Rhythms({ pool }).pass(now);
const leads = (times: readonly number[]) =>
  new SilenceWorld(pool).leads({ workspaceId, formId, tokenId: null }, times);
const setRule = (rule: object) =>
  service.api('PUT', `/workspaces/${workspaceId}/alarm-settings`, {
    rules: [{ kind: 'silence', form_id: formId, ...rule }],
  });

test('owners see when a form usually gets leads, and after how many hours a silence would be noticed', async () => {
  await leads(every(60, now - 8 * weekMs, now));
  await learn();
  const found = await rhythm();
  expect(found).toMatchObject({
    ...{ form_id: formId, time_zone: 'UTC', state: 'watched', silent_days: null, sensitive: false },
    ...{ weeks: 8, leads_per_week: 168.1, notice_hours: 9.2 },
    ...{ last_accepted_at: new Date(now - hourMs).toISOString(), computed_at: new Date(now).toISOString() },
  });
  expect(found.expected).toHaveLength(168);
});

test('the last lead is shown even if it came after the rhythm was learnt', async () => {
  await leads(every(60, now - 8 * weekMs, now - 5 * hourMs));
  await learn();
  await leads([now - 60_000]);
  expect((await rhythm()).last_accepted_at).toBe(new Date(now - 60_000).toISOString());
});

test('a form with too few leads is told so, unless its owner sets a number of days', async () => {
  expect(await rhythm()).toMatchObject({ state: 'learning', notice_hours: null, expected: null, weeks: 0 });
  await leads([now - 5 * weekMs, now - 3 * weekMs, now - dayMs]);
  await learn();
  expect(await rhythm()).toMatchObject({ state: 'too_few', notice_hours: null });
  await setRule({ silent_days: 3 });
  expect(await rhythm()).toMatchObject({ state: 'too_few', silent_days: 3, notice_hours: 72 });
  await setRule({ enabled: false });
  expect(await rhythm()).toMatchObject({ state: 'off', notice_hours: null });
});

test('a form that is turned off is not watched', async () => {
  await leads(every(60, now - 8 * weekMs, now));
  await learn();
  await service.api('PATCH', `/workspaces/${workspaceId}/forms/${formId}`, { active: false });
  expect(await rhythm()).toMatchObject({ state: 'inactive', notice_hours: null });
});

test('only owners see it, and a form of another workspace is not found', async () => {
  await leads(every(60, now - 8 * weekMs, now));
  await learn();
  const other = await createWorkspace(service);
  expect((await service.api('GET', path(formId, other))).status).toBe(404);
  expect((await service.api('GET', path(randomUUID()))).status).toBe(404);
  const asked = async (email: string, role: 'owner' | 'member') => {
    const person = await join(service, workspaceId, email, role);
    return (await person.api('GET', path())).status;
  };
  expect(await asked('owner@example.com', 'owner')).toBe(200);
  expect(await asked('member@example.com', 'member')).toBe(403);
});
