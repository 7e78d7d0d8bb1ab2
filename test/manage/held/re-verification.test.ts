import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sign } from '../../../src/domain/signature.ts';
import { provenBy } from '../../../src/manage/held/re-verification.ts';
import { openTestPool } from '../../support/database/database.ts';
import { heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const secretA = 'secret-A-0123456789-0123456789-0123456789';
const secretB = 'secret-B-0123456789-0123456789-0123456789';
const timestamp = String(Math.floor(Date.now() / 1000));

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

const verify = (formId = sender.formId) =>
  service.api('POST', `/workspaces/${sender.workspaceId}/held/re-verification`, { form_id: formId });
const setSecret = (secret: string, overlap_seconds = 0) =>
  service.api('PUT', `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`, {
    secret,
    overlap_seconds,
  });
const held = async () =>
  (
    await pool.query('select * from held_submissions where workspace_id = $1 order by id', [
      sender.workspaceId,
    ])
  ).rows;

/** Signed, but rejected. */
function hold(
  body: string,
  secret: string,
  signature = sign(secret, timestamp, Buffer.from(body)).toString('hex'),
) {
  const request = { timestamp, signature };
  return holdRow(pool, sender, {
    body,
    class: 'D',
    surface: 'webhook',
    reason: 'signature_mismatch',
    request,
  });
}

test('what was signed with a secret that is set later is proven by itself, can be admitted, and nothing else is', async () => {
  const days = 86_400_000;
  await setSecret(secretA);
  for (let n = 0; n < 100; n++) await hold(`{"n":${n}}`, secretB);
  for (let n = 0; n < 50; n++) await hold(`{"forged":${n}}`, '', randomBytes(32).toString('hex'));
  expect((await verify()).json).toEqual({ verified: 0 });
  await setSecret(secretB);
  const proven = (await held()).filter((row) => row.class === 'A');
  expect(proven).toHaveLength(100);
  for (const row of proven) {
    expect(row.verified_at).not.toBeNull();
    expect(row.expires_at.getTime() - row.received_at.getTime()).toBe(14 * days);
    expect(row.sent_at).toEqual(new Date(Number(timestamp) * 1000));
  }
  const { status, json } = await verify();
  expect([status, json]).toEqual([200, { verified: 100 }]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
  const { rows } = await pool.query(
    'select is_proven, rows from held_usage where workspace_id = $1 order by is_proven',
    [sender.workspaceId],
  );
  expect(rows).toEqual([
    { is_proven: false, rows: 50 },
    { is_proven: true, rows: 100 },
  ]);
  const admission = await service.api(
    'POST',
    `/workspaces/${sender.workspaceId}/held/${proven[0].id}/admission`,
  );
  expect(admission.status).toBe(201);
  expect((await verify()).json).toEqual({ verified: 99 });
});

test('none of a thousand forged requests is proven', () => {
  for (let n = 0; n < 1_000; n++) {
    const body = Buffer.from(`{"n":${n}}`);
    const right = sign(secretB, timestamp, body);
    const flipped = Buffer.from(right);
    const place = n % flipped.length;
    flipped[place] = (flipped[place] as number) ^ (1 << (n % 8));
    const facts = { timestamp, contentType: null, bodyBytes: body.length, body };
    expect(provenBy([secretA, secretB], { ...facts, signature: flipped.toString('hex') })).toBeNull();
    expect(provenBy([secretA], { ...facts, signature: right.toString('hex') })).toBeNull();
    expect(
      provenBy([secretB], { ...facts, timestamp: `${timestamp}0`, signature: right.toString('hex') }),
    ).toBeNull();
  }
});

test('a former secret proves while it is valid, and no longer', async () => {
  await setSecret(secretA);
  await setSecret(secretB, 3_600);
  await hold('{"n":1}', secretA);
  expect((await verify()).json).toEqual({ verified: 1 });
  await hold('{"n":2}', secretA);
  await service.api(
    'DELETE',
    `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret/previous`,
  );
  await setSecret(secretB);
  expect((await verify()).json).toEqual({ verified: 1 });
});

test('a proven request that is no lead can be looked at, but not admitted', async () => {
  const id = await hold('[1]', sender.secret);
  await verify();
  expect((await held())[0].class).toBe('C');
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/held/${id}/admission`);
  expect(json.code).toBe('not_admissible');
});

test('requests to another form, and of another workspace, stay as they are', async () => {
  await hold('{"n":1}', sender.secret);
  const stranger = await createSender(service);
  expect((await verify(stranger.formId)).status).toBe(404);
  expect((await verify(randomUUID())).status).toBe(404);
  expect((await held())[0].class).toBe('D');
});

test('a request that cannot be decrypted is passed over', async () => {
  const body = '{"n":1}';
  const signature = sign(sender.secret, timestamp, Buffer.from(body)).toString('hex');
  const unreadable = { encryptionKey: 'another-key-0123456789-0123456789-0123456789' };
  await holdRow(pool, sender, { body, class: 'D', request: { timestamp, signature }, ...unreadable });
  await hold('{"n":2}', sender.secret);
  expect((await verify()).json).toEqual({ verified: 1 });
});
