import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { sign } from '../../src/domain/signature.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { openTestPool, type TestDatabase } from '../support/database/database.ts';
import { createDatabaseBefore } from '../support/database/earlier-schema.ts';
import { sealAsBefore } from '../support/database/earlier-seal.ts';
import { heldUsage } from '../support/held-rows.ts';
import { encryptionKey, startTestService } from '../support/service.ts';

const workspaceId = randomUUID();
const formId = randomUUID();
const shard = shardOf(workspaceId);
const secret = 'a secret that was set later';
const body = '{"email":"ada@example.com"}';
const timestamp = '1700000000';
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabaseBefore('0033_held_submissions.sql');
  pool = openTestPool(database.url);
  await pool.query(`insert into workspaces (id, name, created_at, revision) values ($1, 'W', now(), 1)`, [
    workspaceId,
  ]);
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, revision)
     values ($1, $2, 'F', 'f', true, now(), 1)`,
    [formId, workspaceId],
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** As a request was kept for the signature debugger. */
async function keep(sealedFor: (id: string) => Buffer, bodyHash: Buffer | null): Promise<string> {
  const id = randomUUIDv7();
  await pool.query(
    `insert into rejection_entries (shard, workspace_id, id, form_id, at, reason, surface, request_id, detail)
     values ($1, $2, $3, $4, now(), 'signature_mismatch', 'webhook', $3, '{}')`,
    [shard, workspaceId, id, formId],
  );
  await pool.query(
    `insert into rejected_requests (shard, workspace_id, rejection_id, form_id, at, sealed, body_hash)
     values ($1, $2, $3, $4, now(), $5, $6)`,
    [shard, workspaceId, id, formId, sealedFor(id), bodyHash],
  );
  return id;
}

function content(hasBody: boolean): Buffer {
  const signature = sign(secret, timestamp, Buffer.from(body)).toString('hex');
  const head = { timestamp, signature, contentType: 'application/json', bodyBytes: body.length, hasBody };
  return Buffer.from(`${JSON.stringify(head)}\n${hasBody ? body : ''}`);
}

test('requests that earlier versions kept are held, in every format, and are proven by the right secret', async () => {
  const box = new SecretBox(encryptionKey);
  const owner = (id: string) => `rejection ${id}`;
  const first = await keep((id) => sealAsBefore(encryptionKey, content(true), owner(id)), null);
  const second = await keep((id) => box.seal(content(true), owner(id)), randomBytes(32));
  const large = await keep((id) => box.seal(content(false), owner(id)), Buffer.alloc(0));
  const closed = await keep((id) => new SecretBox('another key').seal(content(true), owner(id)), null);
  await migrate(database.url, pool);
  const usage = await heldUsage(pool, { workspaceId });
  expect(usage.booked).toEqual(usage.real);
  expect(usage.booked.rows).toBe(4);
  const service = await startTestService({ databaseUrl: database.url });
  const held = `/workspaces/${workspaceId}/held`;
  const read = async (id: string) => (await service.api('GET', `${held}/${id}`)).json;
  expect(await read(first)).toMatchObject({ class: 'D', body, body_bytes: body.length, is_readable: true });
  expect(await read(second)).toMatchObject({ class: 'D', body });
  expect(await read(large)).toMatchObject({ class: 'D', body: null, body_bytes: body.length });
  expect(await read(closed)).toMatchObject({ class: 'D', body: null, is_readable: false });
  await service.api('PUT', `/workspaces/${workspaceId}/forms/${formId}/webhook-secret`, { secret });
  const admitted = await service.api('POST', `${held}/${first}/admission`);
  expect(admitted.status).toBe(201);
  const copy = await service.api('POST', `${held}/${second}/admission`);
  expect([copy.status, copy.json.code]).toEqual([409, 'twin']);
  const refused = await service.api('POST', `${held}/${large}/admission`);
  expect([refused.status, refused.json.code]).toEqual([409, 'not_admissible']);
  const after = await heldUsage(pool, { workspaceId });
  expect(after.booked).toEqual(after.real);
  await service.stop();
});

test('an instance of an earlier version, which is replaced later, writes and deletes without an error', async () => {
  const row = [shard, workspaceId, randomUUID(), formId, new Date(), randomBytes(8), randomBytes(32)];
  const columns = '(shard, workspace_id, rejection_id, form_id, at, sealed, body_hash)';
  const { rowCount } = await pool.query(
    `insert into rejected_requests ${columns} values ($1, $2, $3, $4, $5, $6, $7)`,
    row,
  );
  expect(rowCount).toBe(0);
  const ofWorkspace = `delete from rejected_requests where shard = ${shard} and workspace_id = $1`;
  await pool.query(`${ofWorkspace} and form_id = $2`, [workspaceId, formId]);
  await pool.query(`${ofWorkspace} and body_hash = $2`, [workspaceId, randomBytes(32)]);
  await pool.query(`${ofWorkspace} and rejection_id = any ($2::uuid[])`, [workspaceId, [formId]]);
  await pool.query(
    `delete from rejected_requests where shard = $1 and ctid = any (array(
       select ctid from rejected_requests where shard = $1 and at < now() limit 5 for update skip locked))`,
    [shard],
  );
  const { rows } = await pool.query(
    `select r.sealed from rejection_entries e left join rejected_requests r
       on r.shard = ${shard} and r.workspace_id = e.workspace_id and r.rejection_id = e.id`,
  );
  expect(rows).toContainEqual({ sealed: null });
});
