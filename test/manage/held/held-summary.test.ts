import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { openTestPool } from '../../support/database/database.ts';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
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

async function summary(query = '') {
  return (await service.api('GET', `/workspaces/${sender.workspaceId}/held/summary${query}`)).json;
}

async function missed(day: Date, count: number): Promise<void> {
  await pool.query('insert into held_missed (shard, workspace_id, day, count) values ($1, $2, $3, $4)', [
    shardOf(sender.workspaceId),
    sender.workspaceId,
    day.toISOString().slice(0, 10),
    count,
  ]);
}

test('a workspace that holds nothing has a summary', async () => {
  expect(await summary()).toEqual({
    held: 0,
    bytes: 0,
    not_kept: 0,
    admissible: 0,
    verified: 0,
    next_expires_at: null,
    kept_days: 14,
    is_off: false,
    by_reason: [],
  });
});

test('the summary counts what is held now, by reason, and what can be admitted', async () => {
  const first = new Date(Date.now() + hourMs);
  await holdRow(pool, sender, { expiresAt: first });
  await holdRow(pool, sender);
  await holdRow(pool, sender, { reason: 'body_not_json', class: 'C' });
  await holdRow(pool, sender, { reason: 'signature_mismatch', class: 'D' });
  await holdRow(pool, sender, { reason: 'signature_mismatch', class: 'A', verifiedAt: new Date() });
  await holdRow(pool, sender, { state: 'admitted' });
  await holdRow(pool, sender, { state: 'discarded' });
  const { booked } = await heldUsage(pool, sender);
  expect(await summary()).toMatchObject({
    held: 5,
    bytes: booked.bytes,
    admissible: 3,
    verified: 1,
    next_expires_at: first.toISOString(),
    by_reason: [
      { reason: 'rate_limited_minute', count: 2, admissible: 2 },
      { reason: 'signature_mismatch', count: 2, admissible: 1 },
      { reason: 'body_not_json', count: 1, admissible: 0 },
    ],
  });
});

test('what is past its time counts neither as held nor as bytes', async () => {
  await holdRow(pool, sender, { expiresAt: new Date(Date.now() - 1) });
  expect(await summary()).toMatchObject({ held: 0, bytes: 0, next_expires_at: null, by_reason: [] });
});

test('the summary of a form counts that form only', async () => {
  const other = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Other' });
  await holdRow(pool, sender);
  const { booked } = await heldUsage(pool, sender);
  await holdRow(pool, sender, { formId: other.json.id });
  expect(await summary(`?form_id=${sender.formId}`)).toMatchObject({ held: 1, bytes: booked.bytes });
});

test('what was not kept counts for 14 days', async () => {
  const now = Date.now();
  await missed(new Date(now), 3);
  await missed(new Date(now - 13 * dayMs), 4);
  await missed(new Date(now - 14 * dayMs), 100);
  expect((await summary()).not_kept).toBe(7);
});

test('a summary shows nothing of another workspace', async () => {
  await holdRow(pool, await createSender(service));
  expect(await summary()).toMatchObject({ held: 0, bytes: 0 });
});

test('diagnostics tell how many rejections of each reason are still held, and which', async () => {
  for (let i = 0; i < 2; i++) await post(service, sender, 'server', '[]');
  const heldNow = async () => {
    const { items, by_reason } = await diagnosticsOf(service, sender);
    return { by_reason, are: items.map(({ is_held }: { is_held: boolean }) => is_held) };
  };
  const both = await eventually(heldNow, ({ by_reason }) => by_reason[0]?.held === 2);
  expect(both.by_reason).toMatchObject([{ reason: 'body_not_object', count: 2, held: 2 }]);
  expect(both.are).toEqual([true, true]);
  // Outside the range.
  await holdRow(pool, sender, { reason: 'body_not_object', receivedAt: new Date(Date.now() - 2 * dayMs) });
  const [{ id }] = (await diagnosticsOf(service, sender)).items;
  await pool.query(`update held_submissions set state = 'discarded', sealed = null where id = $1`, [id]);
  const { by_reason, are } = await heldNow();
  expect(by_reason).toMatchObject([{ reason: 'body_not_object', count: 2, held: 1 }]);
  expect(are).toEqual([false, true]);
});
