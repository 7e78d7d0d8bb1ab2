import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { binaryUuid } from '../../../src/db/binary.ts';
import { ingestDrain } from '../../../src/db/ingest/ingest-drain.ts';
import { fingerprintBody, hashKey } from '../../../src/domain/lead/idempotency.ts';
import { firstGeneration, SubmissionIds } from '../../../src/domain/lead/submission-id.ts';
import { deriveIdRoot } from '../../../src/domain/secrets/id-root.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { dayMs } from '../../../src/time/clock.ts';
import { openTestPool } from '../../support/database/database.ts';
import { type HeldRow, holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../../support/service.ts';

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

const hold = (body: string, row: Partial<HeldRow> = {}) => holdRow(pool, sender, { ...row, body });
const admit = (id: string, body?: object) =>
  service.api('POST', `/workspaces/${sender.workspaceId}/held/${id}/admission`, body);
const query = async (text: string) => (await pool.query(text, [sender.workspaceId])).rows;
const leads = () => query('select * from leads where workspace_id = $1');

test('a late repeat of the sender with the same key gets the lead', async () => {
  const { json } = await admit(await hold('{"n":5}', { keyHash: hashKey('late') }));
  const repeat = await post(service, sender, 'server', '{"n":5}', { key: 'late' });
  expect([repeat.status, submissionIdOf(repeat)]).toEqual([202, json.submission_id]);
  expect(await leads()).toHaveLength(1);
  const [key] = await query('select expires_at from idempotency_keys where workspace_id = $1');
  expect(key.expires_at.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
});

/** As the drain stores it: accepted during an outage, under the id that the sender was told. */
async function drained(body: string, submissionId: string, keyHash: Buffer | null, receivedAt = Date.now()) {
  const { workspaceId, formId } = sender;
  const [exception] = await ingestDrain(pool, [
    {
      shard: shardOf(workspaceId),
      workspaceId: binaryUuid(workspaceId),
      submissionId,
      nextSubmissionId: null,
      formId: binaryUuid(formId),
      tokenId: null,
      surface: 'server',
      receivedAt,
      body: Buffer.from(body),
      projection: Buffer.from(body),
      score: {
        score: 0,
        fit: 0,
        intent: 0,
        risk: 0,
        grade: 'E',
        verdict: 'clean',
        reasons: [],
        merits: [],
        ruleset: '',
      },
      key: keyHash === null ? null : { hash: keyHash, bodyHash: fingerprintBody(Buffer.from(body)) },
      signed: null,
    },
  ]);
  return exception?.outcome ?? 'stored';
}

const ids = new SubmissionIds(deriveIdRoot(encryptionKey));

test('a retry with the same key that was accepted during an outage and is stored later is the same lead', async () => {
  const keyHash = hashKey('outage');
  const told = ids.keyed(binaryUuid(sender.workspaceId), keyHash, firstGeneration);
  const { json } = await admit(await hold('{"n":30}', { keyHash }));
  expect(json.submission_id).toBe(told);
  expect(await drained('{"n":30}', told, keyHash)).toBe('known');
  expect(await leads()).toHaveLength(1);
});

test('a retry of a signed request that was accepted during an outage and is stored later is the same lead', async () => {
  const [timestamp, digest] = ['1794000000', Buffer.alloc(32, 7)];
  const request = { timestamp, signature: digest.toString('hex') };
  const told = ids.signed(binaryUuid(sender.formId), Number(timestamp), digest);
  const first = await hold('{"n":31}', { surface: 'webhook', request });
  expect((await admit(first)).json.submission_id).toBe(told);
  expect(await drained('{"n":31}', told, null)).toBe('known');
  // The other way round.
  const other = { timestamp, signature: Buffer.alloc(32, 8).toString('hex') };
  const otherTold = ids.signed(binaryUuid(sender.formId), Number(timestamp), Buffer.alloc(32, 8));
  expect(await drained('{"n":32}', otherTold, null)).toBe('stored');
  const second = await hold('{"n":32}', { surface: 'webhook', request: other });
  const refused = await admit(second, { exclude_twins: false });
  expect([refused.status, refused.json.code]).toEqual([409, 'twin']);
  expect(await leads()).toHaveLength(2);
});

test('a key that was used before and has expired makes a new lead', async () => {
  const keyHash = hashKey('used before');
  const earlier = ids.keyed(binaryUuid(sender.workspaceId), keyHash, firstGeneration);
  expect(await drained('{"n":33}', earlier, keyHash, Date.now() - 3 * dayMs)).toBe('stored');
  const { json } = await admit(await hold('{"n":34}', { keyHash }));
  expect(json.submission_id).not.toBe(earlier);
  expect(await leads()).toHaveLength(2);
  const repeat = await post(service, sender, 'server', '{"n":34}', { key: 'used before' });
  expect(submissionIdOf(repeat)).toBe(json.submission_id);
});
