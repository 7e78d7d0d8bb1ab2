import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { quarantineLead } from '../../src/db/ingest/spool-quarantine.ts';
import { Housekeeping } from '../../src/ingest/housekeeping.ts';
import { dayMs } from '../../src/time/clock.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { endLockWaiters, lockWaiters } from '../support/database/lock-waiters.ts';
import { eventually } from '../support/diagnostics.ts';
import { quarantined, spooledLead } from '../support/quarantine.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestService;
let pool: pg.Pool;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ databaseUrl: service.databaseUrl });
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  await pool.query('delete from spool_quarantine');
  sender = await createSender(service);
});
afterAll(async () => {
  await pool.end();
  await other.stop();
  await service.stop();
});

const at = (id: string) => `/operator/quarantine/${id}`;

async function leadsWith(submissionId: string) {
  return (await pool.query('select * from leads where submission_id = $1', [submissionId])).rows;
}

async function rowsLeft(): Promise<number> {
  return (await pool.query('select id from spool_quarantine')).rows.length;
}

test('an operator sees what is quarantined and why, but nothing of the lead itself', async () => {
  const lead = spooledLead(sender, '{"email":"ada@example.com"}');
  const id = await quarantined(pool, lead);
  const { status, json, text } = await service.api('GET', '/operator/quarantine');
  expect(status).toBe(200);
  expect(json.items).toEqual([
    {
      id,
      kind: 'refused',
      reason: 'test refusal',
      workspace_id: sender.workspaceId,
      workspace_name: `Workspace of ${sender.slug}`,
      form_id: sender.formId,
      submission_id: lead.submissionId,
      surface: 'server',
      received_at: new Date(lead.receivedAt).toISOString(),
      quarantined_at: expect.stringMatching(/Z$/),
      expires_at: null,
      bytes: 27,
    },
  ]);
  expect(text).not.toContain('ada@');
  expect((await service.api('GET', at(id))).json).toEqual(json.items[0]);
  expect((await service.api('GET', at(randomUUID()))).status).toBe(404);
  const health = await service.api('GET', '/operator/health');
  expect(health.json.spool).toMatchObject({ quarantined: 1, refused: 1 });
});

test('the list is paged, newest first, and can be filtered by kind', async () => {
  for (let n = 0; n < 5; n++)
    await quarantined(
      pool,
      spooledLead(sender, `{"n":${n}}`),
      n === 2 ? 'other_body' : 'refused',
      new Date(1.7e12 + n),
    );
  const first = (await service.api('GET', '/operator/quarantine?limit=3')).json;
  const second = (await service.api('GET', `/operator/quarantine?limit=3&cursor=${first.next_cursor}`)).json;
  const times = [...first.items, ...second.items].map(
    ({ quarantined_at }) => Date.parse(quarantined_at) - 1.7e12,
  );
  expect(times).toEqual([4, 3, 2, 1, 0]);
  const { json } = await service.api('GET', '/operator/quarantine?kind=other_body');
  expect(json.items).toHaveLength(1);
  expect(Date.parse(json.items[0].expires_at) - Date.parse(json.items[0].quarantined_at)).toBe(30 * dayMs);
});

test('a stored lead has the id, the score and the key that it arrived with', async () => {
  const lead = spooledLead(sender, '{"email":"ada@example.com"}', { key: 'k' });
  const id = await quarantined(pool, lead);
  expect((await service.api('POST', `${at(id)}/store`)).status).toBe(204);
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${lead.submissionId}`);
  expect(json).toMatchObject({
    form_id: sender.formId,
    score: 71,
    ruleset: 'as it arrived',
    fields: { email: 'ada@example.com' },
    received_at: new Date(lead.receivedAt).toISOString(),
  });
  expect(await rowsLeft()).toBe(0);
  const repeat = await post(service, sender, 'server', '{"email":"ada@example.com"}', { key: 'k' });
  expect(submissionIdOf(repeat)).toBe(lead.submissionId);
  const enriched = () =>
    pool.query('select from lead_enrichments where submission_id = $1', [lead.submissionId]);
  expect((await eventually(enriched, ({ rowCount }) => rowCount === 1)).rowCount).toBe(1);
});

test('what an operator decides is in the audit log of operators and of the workspace', async () => {
  const [one, two] = [spooledLead(sender, '{"n":1}'), spooledLead(sender, '{"n":2}')];
  const ids = [await quarantined(pool, one), await quarantined(pool, two)];
  await service.api('POST', `${at(ids[0] as string)}/store`);
  await service.api('POST', `${at(ids[1] as string)}/discard`);
  for (const path of ['/operator/audit', `/workspaces/${sender.workspaceId}/audit`]) {
    const [discarded, stored] = (await service.api('GET', path)).json.items;
    expect(stored).toMatchObject({
      action: 'storeAQuarantinedLead',
      target: { quarantine_id: ids[0], submission_id: one.submissionId },
      actor: { kind: 'operator_key' },
      outcome: 'done',
    });
    expect(discarded).toMatchObject({
      action: 'discardAQuarantinedLead',
      target: { submission_id: two.submissionId },
    });
  }
  expect(await leadsWith(one.submissionId)).toHaveLength(1);
  expect(await leadsWith(two.submissionId)).toHaveLength(0);
  expect(await rowsLeft()).toBe(0);
});

test('when many store one lead at the same time on two instances, it is stored once', async () => {
  const lead = spooledLead(sender, '{"n":3}', { key: 'once' });
  const id = await quarantined(pool, lead);
  const instances = [service, other, service, other, service, other];
  const answers = await Promise.all(instances.map((instance) => instance.api('POST', `${at(id)}/store`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404, 404]);
  expect(await leadsWith(lead.submissionId)).toHaveLength(1);
});

test('a lead that a commit stored after all is not stored twice', async () => {
  const lead = spooledLead(sender, '{"n":4}');
  const first = await quarantined(pool, lead);
  await service.api('POST', `${at(first)}/store`);
  const again = await quarantined(pool, lead);
  expect((await service.api('POST', `${at(again)}/store`)).status).toBe(204);
  expect(await leadsWith(lead.submissionId)).toHaveLength(1);
  expect(await rowsLeft()).toBe(0);
});

test('while PostgreSQL still refuses the lead, it stays, and the operator sees why without seeing its content', async () => {
  const lead = spooledLead(sender, '{"n":"secret"}');
  const id = await quarantined(pool, lead);
  await pool.query('alter table leads add constraint test_poison check (octet_length(body) <> 14) not valid');
  const { status, json, text } = await service.api('POST', `${at(id)}/store`);
  expect([status, json.code]).toEqual([409, 'not_storable']);
  expect(json.detail).toContain('test_poison');
  expect(text).not.toContain('secret');
  expect(await rowsLeft()).toBe(1);
  const audit = await service.api('GET', `/workspaces/${sender.workspaceId}/audit`);
  expect(audit.json.items.map(({ action }: { action: string }) => action)).not.toContain(
    'storeAQuarantinedLead',
  );
  await pool.query('alter table leads drop constraint test_poison');
  expect((await service.api('POST', `${at(id)}/store`)).status).toBe(204);
  expect(await leadsWith(lead.submissionId)).toHaveLength(1);
});

test('a lead whose projection PostgreSQL refuses is stored by its bytes', async () => {
  const lead = spooledLead(sender, '{"poison":true}');
  const id = await quarantined(pool, lead);
  await pool.query(`alter table leads add constraint test_poison check (not fields ? 'poison') not valid`);
  expect((await service.api('POST', `${at(id)}/store`)).status).toBe(204);
  await pool.query('alter table leads drop constraint test_poison');
  const [stored] = await leadsWith(lead.submissionId);
  expect([stored.fields, stored.body.toString()]).toEqual([{}, '{"poison":true}']);
});

/** Someone else is about to insert the same lead: a decision waits for them. */
async function insertingThe(lead: SpooledLead): Promise<pg.PoolClient> {
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset) values ($1, $2, $3, $4, 'server', now(), '', '{}', 0, 0, 'E', 'clean', '[]', '')`,
    [lead.shard, sender.workspaceId, lead.submissionId, sender.formId],
  );
  return holder;
}

test('a kill leaves the row unchanged', async () => {
  const lead = spooledLead(sender, '{"n":5}');
  const id = await quarantined(pool, lead);
  const holder = await insertingThe(lead);
  const answer = service.api('POST', `${at(id)}/store`);
  const killed = () => endLockWaiters(service.databaseUrl, { query: '%store_spooled%' });
  await eventually(killed, (count) => count > 0);
  expect((await answer).status).toBe(503);
  await holder.query('rollback');
  holder.release();
  expect(await rowsLeft()).toBe(1);
  expect(await leadsWith(lead.submissionId)).toHaveLength(0);
  expect((await service.api('POST', `${at(id)}/store`)).status).toBe(204);
  expect(await leadsWith(lead.submissionId)).toHaveLength(1);
});

test('a lead whose key belongs to another body can only be discarded, and expires after 30 days; a refused one waits', async () => {
  const clock = new ManualClock(Date.now());
  const housekeeping = new Housekeeping({
    pool,
    clock,
    randomness: systemRandomness,
    log: pino({ level: 'silent' }),
  });
  const twin = await quarantined(pool, spooledLead(sender, '{"n":6}'), 'other_body');
  await quarantined(pool, spooledLead(sender, '{"n":7}'), 'refused');
  const { status, json } = await service.api('POST', `${at(twin)}/store`);
  expect([status, json.code]).toEqual([409, 'not_storable']);
  clock.advance(29 * dayMs);
  await housekeeping.sweep();
  expect(await rowsLeft()).toBe(2);
  clock.advance(2 * dayMs);
  await housekeeping.sweep();
  expect((await pool.query('select reason from spool_quarantine')).rows).toEqual([{ reason: 'refused' }]);
  clock.advance(1_000 * dayMs);
  await housekeeping.sweep();
  expect(await rowsLeft()).toBe(1);
});

test('an erasure waits for a decision in progress, so that they cannot deadlock', async () => {
  const lead = spooledLead(sender, '{"n":14}');
  const id = await quarantined(pool, lead);
  const erased = submissionIdOf(await post(service, sender, 'server', '{"n":15}'));
  // The decision waits for them, and has locked its row.
  const holder = await insertingThe(lead);
  const stored = service.api('POST', `${at(id)}/store`);
  const waiting = (event: string) => () => lockWaiters(service.databaseUrl, { event });
  await eventually(waiting('transactionid'), (count) => count === 1);
  const answer = service.api('DELETE', `/workspaces/${sender.workspaceId}/leads/${erased}`);
  await eventually(waiting('advisory'), (count) => count === 1);
  await holder.query('rollback');
  holder.release();
  expect([(await stored).status, (await answer).status]).toEqual([204, 204]);
});

test('a second drain of the same lead adds no row', async () => {
  const lead = spooledLead(sender, '{"n":8}', { key: 'k' });
  const put = (body: string) =>
    quarantineLead(pool, { ...lead, body: Buffer.from(body) }, 'other_body', null, new Date());
  expect([await put('{"n":8}'), await put('{"n":8}'), await put('{"n":9}')]).toEqual([true, false, true]);
  expect(await rowsLeft()).toBe(2);
});

test('a row of an earlier version is stored for the only form, or for the one that is named', async () => {
  const lead = spooledLead(sender, '{"email":"ada@example.com"}');
  const kept = async () => {
    const id = await quarantined(pool, { ...lead, submissionId: randomUUID() });
    await pool.query(
      'update spool_quarantine set head = null, form_id = null, refusal = null where id = $1',
      [id],
    );
    return id;
  };
  expect((await service.api('POST', `${at(await kept())}/store`)).status).toBe(204);
  const second = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Another' });
  const id = await kept();
  const { status, json } = await service.api('POST', `${at(id)}/store`);
  expect([status, json.errors[0].field]).toEqual([422, 'form_id']);
  const foreign = (await createSender(service)).formId;
  expect((await service.api('POST', `${at(id)}/store`, { form_id: foreign })).status).toBe(422);
  expect((await service.api('POST', `${at(id)}/store`, { form_id: second.json.id })).status).toBe(204);
  const { json: leads } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads`);
  expect(leads.items.map(({ form_id }: { form_id: string }) => form_id).toSorted()).toEqual(
    [sender.formId, second.json.id].toSorted(),
  );
  for (const item of leads.items) expect(item.ruleset).not.toBe('as it arrived');
});
