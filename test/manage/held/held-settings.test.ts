import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hold } from '../../../src/db/held/hold.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { openTestPool } from '../../support/database/database.ts';
import { heldRequest, roomy } from '../../support/database/held.ts';
import { heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const workspace = () => `/workspaces/${sender.workspaceId}`;
const form = () => `${workspace()}/forms/${sender.formId}`;
const heldCount = async () => (await service.api('GET', `${workspace()}/held/summary`)).json.held;

async function revision(): Promise<number> {
  return Number((await pool.query('select revision from directory_revision')).rows[0].revision);
}

async function setDays(held_days: number): Promise<void> {
  const { status, json } = await service.api('PATCH', workspace(), { held_days });
  expect([status, json.held_days]).toEqual([200, held_days]);
}

test('a workspace holds for 14 days unless its owner sets another number, up to 30', async () => {
  expect((await service.api('GET', workspace())).json.held_days).toBe(14);
  const before = await revision();
  await setDays(30);
  expect(await revision()).toBeGreaterThan(before);
  expect((await service.api('GET', workspace())).json.held_days).toBe(30);
  expect((await service.api('GET', `${workspace()}/held/summary`)).json.kept_days).toBe(30);
  for (const held_days of [31, -1, 1.5, '3', null])
    expect((await service.api('PATCH', workspace(), { held_days })).status).toBe(422);
});

test('fewer days apply to what is held already; more do not bring back or extend anything', async () => {
  await holdRow(pool, sender, { receivedAt: new Date(Date.now() - 5 * dayMs) });
  await holdRow(pool, sender, { receivedAt: new Date(Date.now() - 2 * dayMs + hourMs) });
  await setDays(3);
  expect(await heldCount()).toBe(1);
  await setDays(30);
  expect(await heldCount()).toBe(1);
  const { rows } = await pool.query(
    'select from held_submissions where workspace_id = $1 and expires_at > received_at + $2::interval',
    [sender.workspaceId, '3 days'],
  );
  expect(rows).toEqual([]);
});

test('without holding, everything held is gone immediately, in this workspace only', async () => {
  const other = await createSender(service);
  await holdRow(pool, other);
  for (const state of ['held', 'admitted', 'discarded'] as const) await holdRow(pool, sender, { state });
  await setDays(0);
  expect(await heldCount()).toBe(0);
  for (const state of ['held', 'admitted', 'discarded'])
    expect((await service.api('GET', `${workspace()}/held?state=${state}`)).json.items).toEqual([]);
  expect((await service.api('GET', `/workspaces/${other.workspaceId}/held`)).json.items).toHaveLength(1);
});

test('a form can hold nothing', async () => {
  expect((await service.api('GET', form())).json.keeps_rejected).toBe(true);
  const before = await revision();
  const changed = await service.api('PATCH', form(), { keeps_rejected: false });
  expect([changed.status, changed.json.keeps_rejected]).toEqual([200, false]);
  expect(await revision()).toBeGreaterThan(before);
  // Other changes leave it as it is.
  await service.api('PATCH', form(), { name: 'Contact us' });
  expect((await service.api('GET', form())).json.keeps_rejected).toBe(false);
  const made = await service.api('POST', `${workspace()}/forms`, { name: 'New', keeps_rejected: false });
  expect([made.status, made.json.keeps_rejected]).toEqual([201, false]);
});

test('a request that was on its way is kept by the settings of now, and not at all for a deleted form', async () => {
  const receivedAt = new Date();
  const expiresAt = new Date(receivedAt.getTime() + 14 * dayMs);
  const arrive = () => hold(pool, [heldRequest(sender, { receivedAt, expiresAt })], [], roomy);
  await setDays(3);
  expect(await arrive()).toEqual(['kept']);
  const { items } = (await service.api('GET', `${workspace()}/held`)).json;
  expect(items[0].expires_at).toBe(new Date(receivedAt.getTime() + 3 * dayMs).toISOString());
  await service.api('PATCH', form(), { keeps_rejected: false });
  expect(await arrive()).toEqual(['excluded']);
  await service.api('PATCH', form(), { keeps_rejected: true });
  await setDays(0);
  expect(await arrive()).toEqual(['excluded']);
  await setDays(14);
  expect(await arrive()).toEqual(['kept']);
  await service.api('DELETE', form());
  expect(await arrive()).toEqual(['excluded']);
});

test('only owners read and change what is held; for others the workspace does not exist', async () => {
  const id = await holdRow(pool, sender);
  const member = await join(service, sender.workspaceId, `${id}@member.example.com`, 'member');
  const owner = await join(service, sender.workspaceId, `${id}@owner.example.com`, 'owner');
  // The last owner cannot be removed.
  await join(service, sender.workspaceId, `${id}@stays.example.com`, 'owner');
  const other = await createSender(service);
  const outsider = await join(service, other.workspaceId, `${id}@other.example.com`, 'owner');
  const reads = [`${workspace()}/held`, `${workspace()}/held/${id}`, `${workspace()}/held/summary`];
  const statuses = async (browser: Browser) => [
    ...(await Promise.all(reads.map(async (path) => (await browser.api('GET', path)).status))),
    (await browser.api('PATCH', workspace(), { held_days: 1 })).status,
    (await browser.api('PATCH', form(), { keeps_rejected: true })).status,
  ];
  expect(await statuses(member)).toEqual([403, 403, 403, 403, 403]);
  expect(await statuses(outsider)).toEqual([404, 404, 404, 404, 404]);
  expect(await statuses(owner)).toEqual([200, 200, 200, 200, 200]);
  const { user } = (await owner.api('GET', '/me')).json;
  await service.api('DELETE', `${workspace()}/members/${user.id}`);
  expect(await statuses(owner)).toEqual([404, 404, 404, 404, 404]);
});

test('an operator who is no member suspends a workspace, but does not decide for how long it holds', async () => {
  const other = await createSender(service);
  const operator = await join(service, other.workspaceId, `${other.slug}@example.com`, 'owner');
  const person_id = (await operator.api('GET', '/me')).json.user.id;
  await service.api('POST', '/operator/people', { person_id, operator: true });
  expect((await operator.api('GET', workspace())).status).toBe(200);
  expect((await operator.api('PATCH', workspace(), { held_days: 0 })).status).toBe(403);
  expect((await service.api('GET', workspace())).json.held_days).toBe(14);
});

test('who changed what is held is in the audit log', async () => {
  await setDays(7);
  await service.api('PATCH', form(), { keeps_rejected: false });
  const { json } = await service.api('GET', `${workspace()}/audit`);
  const changes = json.items.slice(0, 2).map((entry: { changes: object }) => entry.changes);
  expect(changes).toEqual([{ keeps_rejected: false }, { held_days: 7 }]);
});

test('with a form, all that is held of it is deleted, and its space is free', async () => {
  const other = await service.api('POST', `${workspace()}/forms`, { name: 'Other' });
  const stays = await holdRow(pool, sender, { formId: other.json.id });
  for (const state of ['held', 'admitted', 'discarded'] as const) await holdRow(pool, sender, { state });
  await holdRow(pool, sender, { class: 'D', reason: 'signature_mismatch' });
  expect((await service.api('DELETE', form())).status).toBe(204);
  const { rows } = await pool.query('select id from held_submissions where workspace_id = $1', [
    sender.workspaceId,
  ]);
  expect(rows).toEqual([{ id: stays }]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
});
