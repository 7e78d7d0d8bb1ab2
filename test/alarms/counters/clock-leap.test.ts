import { expect, test } from 'vitest';
import { AnchoredClock } from '../../../src/time/anchored-clock.ts';
import { minuteMs, secondMs } from '../../../src/time/clock.ts';
import { SettableTime } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, post, someLead } from '../../support/sender.ts';
import { startTestService } from '../../support/service.ts';

test("while the machine's clock is in doubt, no sender's clock is said to be wrong", async () => {
  const time = new SettableTime();
  const service = await startTestService({ clock: new AnchoredClock(time) });
  const pool = openTestPool(service.databaseUrl);
  const sender = await createSender(service);
  const signedAt = (ms: number) =>
    post(service, sender, 'webhook', someLead, { timestamp: String(Math.floor(ms / 1000)) });
  const sumOf = async (column: string, table: string) =>
    Number((await pool.query(`select sum(${column}) as sum from ${table}`)).rows[0].sum);
  expect((await signedAt(time.wall())).status).toBe(202);
  const leapMs = 4 * minuteMs;
  time.set(leapMs);
  expect((await signedAt(time.wall())).status).toBe(202);
  // Another second, because the same signature again would be the first lead again.
  expect((await signedAt(time.wall() - leapMs - secondMs)).status).toBe(202);
  const counted = await eventually(
    () => sumOf('count', 'outcome_counts'),
    (count) => count === 3,
  );
  expect(counted).toBe(3);
  // In the same flush as the counts.
  expect(await sumOf('buckets[9]', 'clock_drifts')).toBe(1);
  expect(await sumOf('(select sum(n) from unnest(buckets) as n)', 'clock_drifts')).toBe(1);
  await pool.end();
  await service.stop();
});
