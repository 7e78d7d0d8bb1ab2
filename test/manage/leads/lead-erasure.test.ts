import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewHeld } from '../../../src/db/held/held-database.ts';
import { hold, holdIn } from '../../../src/db/held/hold.ts';
import { personHashesOf } from '../../../src/domain/held/person-hashes.ts';
import { BodyHashes } from '../../../src/domain/lead/body-hash.ts';
import { deriveIdRoot } from '../../../src/domain/secrets/id-root.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { Housekeeping } from '../../../src/ingest/housekeeping.ts';
import { dayMs } from '../../../src/time/clock.ts';
import { systemRandomness } from '../../../src/time/randomness.ts';
import { ManualClock } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { heldRequest, roomy } from '../../support/database/held.ts';
import { lockWaiters } from '../../support/database/lock-waiters.ts';
import { OutageWorld } from '../../support/database/outage-world.ts';
import { eventually } from '../../support/diagnostics.ts';
import { drained, quarantined, spooledLead } from '../../support/quarantine.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let sender: Sender;
let stranger: Sender;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  [sender, stranger] = [await createSender(service), await createSender(service)];
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const body = '{"email":"ada@example.com"}';
const hashes = new BodyHashes(deriveIdRoot(encryptionKey));

function erase(submissionId: string, { workspaceId } = sender) {
  return service.api('DELETE', `/workspaces/${workspaceId}/leads/${submissionId}`);
}

async function lead(text = body): Promise<string> {
  return submissionIdOf(await post(service, sender, 'server', text));
}

/** Webhooks that are rejected for their signature, until they are kept. */
async function kept(of: Sender, ...bodies: string[]): Promise<void> {
  // The same signed request would be kept once.
  for (const [n, text] of bodies.entries())
    await post(service, of, 'webhook', text, { secret: `wrong ${n}` });
  await eventually(
    () => keptCount(of),
    (count) => count === bodies.length,
  );
}

async function keptCount({ workspaceId }: Sender): Promise<number> {
  const { rowCount } = await pool.query('select from held_submissions where workspace_id = $1', [
    workspaceId,
  ]);
  return rowCount ?? 0;
}

async function quarantinedBodies({ workspaceId }: Sender): Promise<string[]> {
  const { rows } = await pool.query('select body from spool_quarantine where workspace_id = $1', [
    workspaceId,
  ]);
  return rows.map((row) => row.body.toString()).toSorted();
}

test('erasing a lead also erases every copy of its body in the workspace, and nothing else', async () => {
  const id = await lead();
  for (const of of [sender, stranger]) {
    // Held requests of the same person go, whatever their bytes are.
    await kept(of, body, body, '{"email":"grace@example.com"}');
    await quarantined(pool, spooledLead(of, body));
    await quarantined(pool, spooledLead(of, `${body} `), 'other_body');
  }
  await quarantined(pool, spooledLead(sender, '{"under":"the same id"}', { submissionId: id }), 'other_body');
  expect((await erase(id)).status).toBe(204);
  expect([await keptCount(sender), await keptCount(stranger)]).toEqual([1, 3]);
  expect(await quarantinedBodies(sender)).toEqual([`${body} `]);
  expect(await quarantinedBodies(stranger)).toEqual([body, `${body} `]);
  expect((await erase(id)).status).toBe(404);
  const other = await service.api('GET', '/operator/quarantine');
  expect(other.text).not.toContain('the same id');
});

test('requests that an earlier version kept, without a hash, are found too', async () => {
  const id = await lead();
  await kept(sender, body, '{"n":1}', body, '{"n":2}');
  await pool.query(`update held_submissions set body_hash = '' where workspace_id = $1`, [
    sender.workspaceId,
  ]);
  // One that was sealed under another key must not keep the rest from going.
  const unreadable = { ...request('{}'), sealed: Buffer.from('x'), bodyHash: Buffer.alloc(0) };
  await hold(pool, [unreadable], [], roomy);
  expect((await erase(id)).status).toBe(204);
  expect(await keptCount(sender)).toBe(3);
});

function request(text: string, at = Date.now()): NewHeld {
  const { workspaceId, slug } = sender;
  const bodyHash = hashes.of(workspaceId, Buffer.from(text));
  const receivedAt = new Date(at);
  return heldRequest(sender, { class: 'D', reason: 'signature_mismatch', slug, bodyHash, receivedAt });
}

test('a request that was on its way to be kept when the lead was erased is not kept; a later one is', async () => {
  const id = await lead();
  const before = request(body, Date.now() - 1_000);
  await erase(id);
  const after = request(body, Date.now() + 1_000);
  await hold(pool, [before, after, request('{}')], [], roomy);
  expect(await keptCount(sender)).toBe(2);
});

test('an erasure sees what is being kept at the same time', async () => {
  const id = await lead();
  const client = await pool.connect();
  await client.query('begin');
  await holdIn(client, [request(body)], [], roomy);
  const answer = erase(id);
  const waiting = () =>
    pool.query(`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`);
  await eventually(waiting, ({ rowCount }) => rowCount === 1);
  await client.query('commit');
  client.release();
  expect((await answer).status).toBe(204);
  expect(await keptCount(sender)).toBe(0);
});

test('an erasure finds the first held request of a person, although it was held after the lead was read', async () => {
  const id = await lead();
  const { email } = JSON.parse(body);
  const personHashes = personHashesOf(hashes, sender.workspaceId, { email });
  const client = await pool.connect();
  await client.query('begin');
  await holdIn(client, [{ ...request('{"other":"bytes"}'), personHashes }], [], roomy);
  const answer = erase(id);
  await eventually(
    () => lockWaiters(service.databaseUrl, { query: '%lock_erasures%' }),
    (count) => count === 1,
  );
  await client.query('commit');
  client.release();
  expect((await answer).status).toBe(204);
  expect(await keptCount(sender)).toBe(0);
});

test('an erasure that is killed has erased nothing, and can be repeated', async () => {
  const id = await lead();
  await kept(sender, body);
  const row = await quarantined(pool, spooledLead(sender, body));
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from spool_quarantine where id = $1 for update', [row]);
  const answer = erase(id);
  const killed = () =>
    pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from spool_quarantine%'`,
    );
  await eventually(killed, ({ rowCount }) => rowCount === 1);
  expect((await answer).status).toBe(503);
  await holder.query('rollback');
  holder.release();
  const found = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${id}`);
  expect([found.status, await keptCount(sender), await quarantinedBodies(sender)]).toEqual([200, 1, [body]]);
  expect((await erase(id)).status).toBe(204);
  expect([await keptCount(sender), await quarantinedBodies(sender)]).toEqual([0, []]);
});

test('a copy that a drain brings after the erasure is neither stored nor quarantined', async () => {
  const id = await lead();
  await erase(id);
  const copy = spooledLead(sender, body, { submissionId: id, receivedAt: Date.now() - 1_000 });
  const other = spooledLead(sender, '{"n":1}');
  expect(await drained(pool, [copy, other])).toEqual([{ place: 0, outcome: 'erased' }]);
  const { rows } = await pool.query('select submission_id from leads where workspace_id = $1', [
    sender.workspaceId,
  ]);
  expect(rows).toEqual([{ submission_id: other.submissionId }]);
  expect(await quarantined(pool, copy, 'other_body')).toBeUndefined();
});

test('a drain that waits for the erasure of the same lead does not bring it back', async () => {
  const id = await lead();
  const holder = await pool.connect();
  await holder.query('begin');
  // Stands for an erasure under way: the lead is deleted, and nobody else knows yet.
  await holder.query('delete from leads where submission_id = $1', [id]);
  await holder.query(
    `insert into lead_erasures values ($1, $2, $3, now() - interval '1 minute', now() + interval '1 minute', null)`,
    [shardOf(sender.workspaceId), sender.workspaceId, id],
  );
  const draining = drained(pool, [spooledLead(sender, body, { submissionId: id })]);
  const waiting = () => lockWaiters(service.databaseUrl, { query: '%store_spooled%' });
  await eventually(waiting, (count) => count === 1);
  await holder.query('commit');
  holder.release();
  expect(await draining).toEqual([{ place: 0, outcome: 'erased' }]);
  const { rowCount } = await pool.query('select from leads where submission_id = $1', [id]);
  expect(rowCount).toBe(0);
});

test('after an erasure a keyed hash stays for three days, and the id for as long as a spool may be offline', async () => {
  await erase(await lead());
  const clock = new ManualClock(Date.now());
  const housekeeping = new Housekeeping({
    pool,
    clock,
    randomness: systemRandomness,
    log: pino({ level: 'silent' }),
  });
  const erasure = () =>
    pool.query('select body_hash from lead_erasures where workspace_id = $1', [sender.workspaceId]);
  const [{ body_hash }] = (await erasure()).rows;
  expect(body_hash).toEqual(hashes.of(sender.workspaceId, Buffer.from(body)));
  expect(body_hash).not.toEqual(hashes.of(stranger.workspaceId, Buffer.from(body)));
  clock.advance(4 * dayMs);
  await housekeeping.sweep();
  expect((await erasure()).rows).toEqual([{ body_hash: null }]);
  clock.advance(400 * dayMs);
  await housekeeping.sweep();
  expect((await erasure()).rows).toEqual([]);
});

test('a lead in the spool of a stopped host does not come back with it', async () => {
  const world = await OutageWorld.create();
  const one = await world.start();
  const local = await createSender(one);
  await world.snapshotKept();
  await world.outage.begin();
  const erased = submissionIdOf(await post(one, local, 'server', body));
  const other = submissionIdOf(await post(one, local, 'server', '{"n":1}'));
  await world.stop(one);
  await world.outage.end();
  const two = await world.start({ env: { DATA_DIR: join(world.dataDir, 'two') } });
  // A commit whose answer got lost: PostgreSQL has the lead, and the spool has it too.
  await world.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset)
     values (${shardOf(local.workspaceId)}, '${local.workspaceId}', '${erased}', '${local.formId}', 'server', now(),
       '${body}', '{}', 0, 0, 'E', 'clean', '[]', '')`,
  );
  const answer = await two.api('DELETE', `/workspaces/${local.workspaceId}/leads/${erased}`);
  expect(answer.status).toBe(204);
  await world.stop(two);
  const back = await world.start();
  await world.recover(back);
  expect(await world.query('select submission_id from leads')).toEqual([{ submission_id: other }]);
  expect(await world.query('select from spool_quarantine')).toEqual([]);
  await world.close();
});
