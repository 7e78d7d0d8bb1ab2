import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { shardOf } from '../../src/domain/workspace.ts';
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
  const requestId = answer.headers['x-request-id'] as string;
  const query = `?request_id=${requestId}`;
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, query),
    (found) => found.items.length > 0,
  );
  await eventually(
    () => pool.query('select from held_submissions where request_id = $1', [requestId]),
    ({ rowCount }) => rowCount === 1,
  );
  return items[0].id;
}

function debug({ workspaceId, formId }: Sender, request: object) {
  return service.api('POST', `/workspaces/${workspaceId}/forms/${formId}/signature-debug`, request);
}

/** The headers of a valid request with this body. */
function signedElsewhere(sender: Sender, body: string) {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const signature = sign(sender.secret, timestamp, Buffer.from(body)).toString('hex');
  return { headers: { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature } };
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

  test('a row that was copied to another rejection cannot be opened there', async () => {
    const sender = await createSender(service);
    const first = await rejected(sender, someLead, { secret: 'wrong secret' });
    const second = await rejected(sender, '{"of":"another"}', { secret: 'wrong secret' });
    await pool.query(
      `update held_submissions r set sealed = o.sealed from held_submissions o
       where r.shard = $1 and o.shard = $1 and r.id = $2 and o.id = $3`,
      [shardOf(sender.workspaceId), first, second],
    );
    expect((await debug(sender, { rejection_id: first })).json.code).toBe('request_not_kept');
  });

  test('a body of the largest size can be debugged', async () => {
    const sender = await createSender(service);
    const body = JSON.stringify({ text: 'x'.repeat(131_072 - 11) });
    const rejection_id = await rejected(sender, body, {
      headers: signedElsewhere(sender, `${body}\n`).headers,
    });
    expect((await debug(sender, { rejection_id })).json.mistake.code).toBe('body_line_ends');
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
