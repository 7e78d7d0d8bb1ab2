import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { personHashesOf } from '../../../src/domain/held/person-hashes.ts';
import { BodyHashes } from '../../../src/domain/lead/body-hash.ts';
import { deriveIdRoot } from '../../../src/domain/secrets/id-root.ts';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { openTestPool } from '../../support/database/database.ts';
import { type HeldRow, heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let sender: Sender;
let other: Sender;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  [sender, other] = [await createSender(service), await createSender(service)];
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const hashes = new BodyHashes(deriveIdRoot(encryptionKey));
const ada = { email: 'ada@example.com', phone: '+49 30 1234567' };

/** As the service keeps a request with these fields. */
function held(of: Sender, fields: Record<string, unknown>, row: Partial<HeldRow> = {}): Promise<string> {
  const personHashes = personHashesOf(hashes, of.workspaceId, fields);
  return holdRow(pool, of, { body: JSON.stringify(fields), personHashes, ...row });
}

async function erase(fields: object): Promise<void> {
  const id = submissionIdOf(await post(service, sender, 'server', JSON.stringify(fields)));
  expect((await service.api('DELETE', `/workspaces/${sender.workspaceId}/leads/${id}`)).status).toBe(204);
}

async function left({ workspaceId }: Sender): Promise<string[]> {
  const { rows } = await pool.query('select id from held_submissions where workspace_id = $1 order by id', [
    workspaceId,
  ]);
  return rows.map(({ id }) => id);
}

test('erasing a lead deletes held requests with its body, email address or phone number, in every state and class', async () => {
  await held(sender, { ...ada });
  await held(sender, { mail: 'ADA@example.com', note: 'other bytes' });
  await held(sender, { telephone: '0049 30 123 4567' }, { class: 'D', reason: 'signature_mismatch' });
  await held(sender, ada, { state: 'discarded' });
  await held(sender, ada, { state: 'admitted' });
  const stays = await held(sender, { email: 'grace@example.com', phone: '+49 30 7654321' });
  await erase(ada);
  expect(await left(sender)).toEqual([stays]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
});

test('nothing of another workspace is erased', async () => {
  const id = await held(other, ada);
  await erase(ada);
  expect(await left(other)).toEqual([id]);
});

test('a lead without a person erases only copies of its body', async () => {
  const stays = await held(sender, { n: 2 });
  await held(sender, { n: 1 });
  await erase({ n: 1 });
  expect(await left(sender)).toEqual([stays]);
});

test('a request that an earlier version kept without a hash is decrypted and compared', async () => {
  const ids = [await held(sender, { n: 1 }), await held(sender, { n: 2 }), await held(sender, { n: 3 })];
  for (const [place, id] of ids.entries()) {
    const head = { timestamp: null, signature: null, contentType: null, bodyBytes: 7, hasBody: true };
    const content = Buffer.from(`${JSON.stringify(head)}\n{"n":${place + 1}}`);
    const sealed = new SecretBox(encryptionKey).seal(content, `rejection ${id}`);
    await pool.query(`update held_submissions set body_hash = '', sealed = $1, class = 'D' where id = $2`, [
      // One that nobody can read must not keep the rest from going.
      place === 2 ? Buffer.from('x') : sealed,
      id,
    ]);
  }
  await erase({ n: 1 });
  expect(await left(sender)).toEqual([ids[1], ids[2]].toSorted());
});

test('the history of an admitted lead tells why it was rejected and who admitted it, until it is erased', async () => {
  const id = submissionIdOf(await post(service, sender, 'server', JSON.stringify(ada)));
  const admittedAt = new Date();
  await pool.query(
    `insert into lead_recoveries (shard, workspace_id, submission_id, held_id, reason, admitted_at, admitted_by)
     values ($1, $2, $3, $4, 'rate_limited_minute', $5, 'ada@example.com')`,
    [shardOf(sender.workspaceId), sender.workspaceId, id, randomUUID(), admittedAt],
  );
  const at = `/workspaces/${sender.workspaceId}/leads/${id}`;
  const lead = await service.api('GET', at);
  const { json } = await service.api('GET', `${at}/history`);
  const events = json.items.filter(({ kind }: { kind: string }) => kind === 'admitted');
  expect(events).toEqual([
    {
      kind: 'admitted',
      at: admittedAt.toISOString(),
      by: 'ada@example.com',
      reason: 'rate_limited_minute',
      received_at: lead.json.received_at,
    },
  ]);
  expect((await service.api('DELETE', at)).status).toBe(204);
  const { rowCount } = await pool.query('select from lead_recoveries where submission_id = $1', [id]);
  expect(rowCount).toBe(0);
});
