import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { Housekeeping } from '../../src/ingest/housekeeping.ts';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { createSender, type PostOptions, post, type Sender, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

/** Sends a webhook that is rejected and returns the id of its entry in the diagnostics. */
async function rejected(sender: Sender, body: string | Buffer, options: PostOptions): Promise<string> {
  const answer = await post(service, sender, 'webhook', body, options);
  expect(answer.status).toBe(200);
  const query = `?request_id=${answer.headers['x-request-id']}`;
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, query),
    (found) => found.items.length > 0,
  );
  return items[0].id;
}

function debug({ workspaceId, formId }: Sender, request: object) {
  return service.api('POST', `/workspaces/${workspaceId}/forms/${formId}/signature-debug`, request);
}

interface KeptRow {
  readonly rejection_id: string;
  readonly form_id: string;
  readonly sealed: Buffer;
}

async function keptRows({ workspaceId }: Sender): Promise<KeptRow[]> {
  return (await pool.query('select * from rejected_requests where workspace_id = $1', [workspaceId])).rows;
}

/** The headers of a valid request with this body. */
function signedElsewhere(sender: Sender, body: string) {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signature = sign(sender.secret, timestamp, Buffer.from(body)).toString('hex');
  return { headers: { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature } };
}

/** Another form of the same workspace. */
async function secondForm(sender: Sender): Promise<Sender> {
  const at = `/workspaces/${sender.workspaceId}/forms`;
  const { json } = await service.api('POST', at, { name: 'Second' });
  await service.api('PUT', `${at}/${json.id}/webhook-secret`, {});
  return { ...sender, formId: json.id, slug: json.slug };
}

// Concurrent, so that all tests wait for the same flush.
describe.concurrent('a rejected request', () => {
  test.each<[string, PostOptions, string]>([
    ['a wrong secret', { secret: 'Contact EU' }, 'signature_match'],
    ['a stale timestamp', { timestamp: '1700000000' }, 'timestamp_window'],
    ['no timestamp', { without: ['X-SVC-Timestamp'] }, 'timestamp_present'],
    ['a malformed timestamp', { timestamp: 'soon' }, 'timestamp_format'],
    ['no signature', { without: ['X-SVC-Signature'] }, 'signature_present'],
    ['a malformed signature', { headers: { 'X-SVC-Signature': 'abc' } }, 'signature_format'],
    [
      'two signatures',
      { headers: { 'X-SVC-Signature': ['a'.repeat(64), 'b'.repeat(64)] } },
      'signature_present',
    ],
  ])('a recorded request with %s can be debugged', async (_, options, check) => {
    const sender = await createSender(service);
    const rejection_id = await rejected(sender, someLead, options);
    const { status, json } = await debug(sender, { rejection_id });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      valid: false,
      source: 'rejection',
      judged_by: 'rejection',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      judged_at: new Date(clock.now()).toISOString(),
    });
    expect(json.string_to_sign.text).toContain(someLead);
    const failed = json.checks.filter(({ status }: { status: string }) => status === 'failed');
    expect(failed.map(({ code }: { code: string }) => code)).toContain(check);
  });

  test('comparing the body that the sender sent shows that it was changed on the way', async () => {
    const sender = await createSender(service);
    const sent = '{"email":"ada@example.com"}';
    const arrived = '{"email":"ada@example.org"}';
    const { headers } = signedElsewhere(sender, sent);
    const rejection_id = await rejected(sender, arrived, { headers });
    expect((await debug(sender, { rejection_id })).json.mistake).toBeNull();
    const { json } = await debug(sender, { rejection_id, body: sent });
    expect(json.mistake.code).toBe('body_changed');
    expect(json.difference).toMatchObject({
      offset: sent.indexOf('com"'),
      signed: { text: 'com"}' },
      arrived: { text: 'org"}' },
    });
  });

  test('the database contains nothing of a rejected request in clear text', async () => {
    const sender = await createSender(service);
    await rejected(sender, someLead, { secret: 'wrong secret' });
    const [row] = await keptRows(sender);
    for (const word of ['Lovelace', 'analytical', 'X-SVC']) expect(row?.sealed.includes(word)).toBe(false);
  });

  test('a row that was copied to another rejection cannot be opened there', async () => {
    const sender = await createSender(service);
    const first = await rejected(sender, someLead, { secret: 'wrong secret' });
    const second = await rejected(sender, '{"of":"another"}', { secret: 'wrong secret' });
    await pool.query(
      `update rejected_requests r set sealed = o.sealed from rejected_requests o
       where r.shard = $1 and o.shard = $1 and r.rejection_id = $2 and o.rejection_id = $3`,
      [shardOf(sender.workspaceId), first, second],
    );
    expect((await debug(sender, { rejection_id: first })).json.code).toBe('request_not_kept');
  });

  test('a body of more than 16 KB is not kept, but can be sent to the debugger', async () => {
    const sender = await createSender(service);
    const body = JSON.stringify({ text: 'x'.repeat(16_384) });
    const rejection_id = await rejected(sender, body, {
      headers: signedElsewhere(sender, `${body}\n`).headers,
    });
    const { status, json } = await debug(sender, { rejection_id });
    expect([status, json.code]).toEqual([404, 'request_not_kept']);
    expect(json.detail).toMatch(/^The body had 16395 bytes/);
    const [row] = await keptRows(sender);
    expect(row?.sealed.length).toBeLessThan(1_000);
    expect((await debug(sender, { rejection_id, body })).json.mistake.code).toBe('body_line_ends');
  });

  test('requests that were accepted or rejected for another reason are not kept', async () => {
    const sender = await createSender(service);
    await post(service, sender, 'webhook');
    const rejection_id = await rejected(sender, 'no json', {});
    expect(await keptRows(sender)).toEqual([]);
    const { status, json } = await debug(sender, { rejection_id });
    expect([status, json.code]).toEqual([404, 'request_not_kept']);
    expect(json.detail).toContain('body_not_json');
  });

  test('a rejection that does not exist, or belongs to another form or workspace, is not found', async () => {
    const sender = await createSender(service);
    const rejection_id = await rejected(sender, someLead, { secret: 'wrong secret' });
    const other = await createSender(service);
    const form = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Second' });
    const answers = await Promise.all([
      debug(sender, { rejection_id: randomUUID() }),
      debug(other, { rejection_id }),
      debug({ ...sender, formId: form.json.id }, { rejection_id }),
    ]);
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(Array(3).fill([404, 'not_found']));
  });
});

test('at most 5 requests a minute and 20 an hour are kept for a workspace, however many forms it has', async () => {
  const sender = await createSender(service);
  const forms = [sender, await secondForm(sender)];
  const flood = () =>
    Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        post(service, forms[i % 2] as Sender, 'webhook', someLead, { secret: 'wrong' }),
      ),
    );
  clock.advance(hourMs - (clock.now() % hourMs));
  const startOfHour = clock.now();
  for (let minute = 0; minute < 6; minute++) {
    await flood();
    clock.advance(minuteMs);
  }
  await eventually(
    () => diagnosticsOf(service, sender),
    ({ totals }) => totals.other === 6 * 8,
  );
  const { rows: kept } = await pool.query(
    'select at, count(*)::int as count from rejected_requests where workspace_id = $1 group by at order by at',
    [sender.workspaceId],
  );
  const minutes = kept.map(({ at, count }) => [(at.getTime() - startOfHour) / minuteMs, count]);
  expect(minutes).toEqual([0, 1, 2, 3].map((minute) => [minute, 5]));
  const { items } = await diagnosticsOf(service, sender, '?limit=200');
  const rows = new Set((await keptRows(sender)).map(({ rejection_id }) => rejection_id));
  const unkept = items.find(({ id }: { id: string }) => !rows.has(id));
  const { status, json } = await debug({ ...sender, formId: unkept.form_id }, { rejection_id: unkept.id });
  expect([status, json.code]).toEqual([404, 'request_not_kept']);
  const neighbour = await createSender(service);
  await post(service, neighbour, 'webhook', someLead, { secret: 'wrong' });
  await eventually(
    () => keptRows(neighbour),
    (found) => found.length === 1,
  );
});

test('rejected requests are deleted after 3 days, and with their form', async () => {
  const sender = await createSender(service);
  await rejected(sender, someLead, { secret: 'wrong secret' });
  const other = await createSender(service);
  await post(service, other, 'webhook', someLead, { secret: 'wrong secret' });
  await eventually(
    () => keptRows(other),
    (rows) => rows.length === 1,
  );
  await service.api('DELETE', `/workspaces/${other.workspaceId}/forms/${other.formId}`);
  expect(await keptRows(other)).toEqual([]);
  const housekeeping = new Housekeeping({
    pool,
    clock,
    randomness: systemRandomness,
    log: pino({ level: 'silent' }),
  });
  clock.advance(2 * dayMs);
  await housekeeping.sweep();
  expect(await keptRows(sender)).toHaveLength(1);
  clock.advance(dayMs + minuteMs);
  await housekeeping.sweep();
  expect(await keptRows(sender)).toEqual([]);
});
