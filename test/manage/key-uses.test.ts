import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs } from '../../src/time/clock.ts';
import { openTestPool } from '../support/database/database.ts';
import { drained, quarantined, spooledLead } from '../support/quarantine.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

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

const body = '{"email":"ada@example.com"}';

async function lead(): Promise<string> {
  return submissionIdOf(await post(service, sender, 'server', body));
}

function erase(submissionId: string) {
  return service.api('DELETE', `/workspaces/${sender.workspaceId}/leads/${submissionId}`);
}

async function leadsWith(submissionId: string) {
  return (await pool.query('select * from leads where submission_id = $1', [submissionId])).rows;
}

async function quarantinedBodies(): Promise<string[]> {
  const { rows } = await pool.query('select body from spool_quarantine where workspace_id = $1', [
    sender.workspaceId,
  ]);
  return rows.map((row) => row.body.toString()).toSorted();
}

test('a later use of the same key, which has the same id, is not a copy', async () => {
  const id = await lead();
  await pool.query('update leads set received_at = $2 where submission_id = $1', [
    id,
    new Date(Date.now() - 25 * hourMs),
  ]);
  await erase(id);
  const before = spooledLead(sender, '{"n":2}', { submissionId: id, receivedAt: Date.now() - hourMs });
  expect(await drained(pool, [before])).toEqual([]);
  expect((await erase(id)).status).toBe(204);
  const after = spooledLead(sender, '{"n":3}', { submissionId: id, receivedAt: Date.now() + hourMs });
  expect(await drained(pool, [after])).toEqual([]);
  const { rows } = await pool.query('select body from leads where submission_id = $1', [id]);
  expect(rows.map((row) => row.body.toString())).toEqual(['{"n":3}']);
});

test('an earlier use of the same key that a stopped host brings after the erasure is not a copy', async () => {
  const id = await lead();
  await erase(id);
  const older = spooledLead(sender, '{"n":4}', { submissionId: id, receivedAt: Date.now() - 25 * hourMs });
  expect(await quarantined(pool, older)).toBeDefined();
  expect(await drained(pool, [older])).toEqual([]);
  expect((await erase(id)).status).toBe(204);
  // Both erasures are remembered.
  const newer = spooledLead(sender, body, { submissionId: id, receivedAt: Date.now() - 60_000 });
  expect(await drained(pool, [older, newer])).toEqual([
    { place: 0, outcome: 'erased' },
    { place: 1, outcome: 'erased' },
  ]);
});

test('a quarantined lead with the same id from a key lifetime earlier or later stays', async () => {
  const id = await lead();
  for (const hours of [-25, -23, 23, 25])
    await quarantined(
      pool,
      spooledLead(sender, `{"hours":${hours}}`, {
        submissionId: id,
        receivedAt: Date.now() + hours * hourMs,
      }),
    );
  expect((await erase(id)).status).toBe(204);
  expect(await quarantinedBodies()).toEqual(['{"hours":-25}', '{"hours":25}']);
});

test('a lead that was stored under the next id of its key does not come back either', async () => {
  const receivedAt = Date.now() - 1_000;
  const first = spooledLead(sender, '{"n":5}', { key: 'again', receivedAt: receivedAt - 25 * hourMs });
  const { submissionId } = first;
  const again = spooledLead(sender, '{"n":6}', { key: 'again', receivedAt, submissionId });
  expect([await drained(pool, [first]), await drained(pool, [again])]).toEqual([[], []]);
  expect((await erase(again.nextSubmissionId as string)).status).toBe(204);
  expect(await drained(pool, [again])).toEqual([{ place: 0, outcome: 'erased' }]);
  expect(await quarantined(pool, again)).toBeUndefined();
  const { rows } = await pool.query('select submission_id from leads where workspace_id = $1', [
    sender.workspaceId,
  ]);
  expect(rows).toEqual([{ submission_id: submissionId }]);
});

test('a lead of an instance whose clock is ahead does not come back', async () => {
  const ahead = spooledLead(sender, body, { receivedAt: Date.now() + hourMs });
  expect(await drained(pool, [ahead])).toEqual([]);
  expect((await erase(ahead.submissionId)).status).toBe(204);
  expect(await drained(pool, [ahead])).toEqual([{ place: 0, outcome: 'erased' }]);
});

test('a refused lead whose key was used again is stored under its next id, and the audit log says which', async () => {
  const refused = spooledLead(sender, '{"n":10}', { key: 'reused', receivedAt: Date.now() - 25 * hourMs });
  const { submissionId, nextSubmissionId } = refused;
  const id = await quarantined(pool, refused);
  const newer = spooledLead(sender, '{"n":11}', { key: 'reused', submissionId });
  expect(await drained(pool, [newer])).toEqual([]);
  expect((await service.api('POST', `/operator/quarantine/${id}/store`)).status).toBe(204);
  expect(await quarantinedBodies()).toEqual([]);
  const [first, second] = [await leadsWith(submissionId), await leadsWith(nextSubmissionId as string)];
  expect([...first, ...second].map((lead) => lead.body.toString())).toEqual(['{"n":11}', '{"n":10}']);
  const audit = await service.api('GET', `/workspaces/${sender.workspaceId}/audit`);
  expect(audit.json.items[0].target).toMatchObject({ submission_id: nextSubmissionId });
  const repeat = await post(service, sender, 'server', '{"n":11}', { key: 'reused' });
  expect(submissionIdOf(repeat)).toBe(submissionId);
});

test('a refused lead whose key belonged to another body is not stored beside it', async () => {
  const refused = spooledLead(sender, '{"n":12}', { key: 'taken', receivedAt: Date.now() - 23 * hourMs });
  const id = await quarantined(pool, refused);
  const { submissionId } = refused;
  await drained(pool, [spooledLead(sender, '{"n":13}', { key: 'taken', submissionId })]);
  const { status, json } = await service.api('POST', `/operator/quarantine/${id}/store`);
  expect([status, json.code, await quarantinedBodies()]).toEqual([409, 'not_storable', ['{"n":12}']]);
});
