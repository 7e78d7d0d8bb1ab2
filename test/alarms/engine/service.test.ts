import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../deliver/delivery-world.ts';
import { createTestDatabase, openTestPool } from '../../support/database/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const lease = async () => (await pool.query('select instance_id, judged_at from alarm_watch')).rows[0];

test('the service judges, one of its instances at a time, and says when', async () => {
  await until(async () => expect((await lease()).judged_at).not.toBeNull());
  const { instance_id } = await lease();
  const second = await startTestService({ databaseUrl: service.databaseUrl });
  await second.stop();
  expect((await lease()).instance_id).toBe(instance_id);
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { Authorization: `Bearer ${service.operatorKey}` },
  });
  const text = await answer.text();
  expect(text).toMatch(/^leadgate_alarms_judged_timestamp_seconds 1\d{9}/m);
  expect(text).toContain('leadgate_alarms_opened_total{kind="all_rejected"} 0');
});

test('an instance that does not deliver never takes the lease', async () => {
  const database = await createTestDatabase();
  const managing = await startTestService({ databaseUrl: database.url, env: { ROLE: 'manage' } });
  const own = openTestPool(database.url);
  expect((await managing.api('GET', '/operator/alarms')).status).toBe(200);
  const { rows } = await own.query('select instance_id, judged_at from alarm_watch');
  expect(rows).toEqual([{ instance_id: null, judged_at: null }]);
  await own.end();
  await managing.stop();
  await database.drop();
});
