import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { sealAsBefore } from '../support/database/earlier-seal.ts';
import { holdRow } from '../support/held-rows.ts';
import { createSender } from '../support/sender.ts';
import { encryptionKey as oldKey, startTestService } from '../support/service.ts';

const newKey = 'the key after a rotation, long enough to be one';
const dataDir = temporaryDataDir();
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  dataDir.remove();
});

const start = (key: string) => startTestService({ databaseUrl: database.url, env: { ENCRYPTION_KEY: key } });

test('held submissions of every format are encrypted again, in steps of a few, and can be read with the new key', async () => {
  const service = await start(oldKey);
  const sender = await createSender(service);
  const ids: string[] = [];
  // More than one step.
  for (let n = 0; n < 20; n++) ids.push(await holdRow(pool, sender, { body: `{"n":${n}}` }));
  const [first, second] = ids as [string, string];
  const head = { timestamp: null, signature: null, contentType: null, bodyBytes: 7, hasBody: true };
  const content = Buffer.from(`${JSON.stringify(head)}\n{"n":1}`);
  const earlier = sealAsBefore(oldKey, content, `rejection ${first}`);
  const later = new SecretBox(oldKey).seal(content, `rejection ${second}`);
  for (const [id, sealed] of [[first, earlier] as const, [second, later] as const])
    await pool.query('update held_submissions set sealed = $1 where id = $2', [sealed, id]);
  await holdRow(pool, sender, { state: 'discarded' });
  await service.stop();
  const rekeyed = await warmLeadgate(['rekey', '--json'], {
    env: {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir.path,
      PORT: '0',
      ENCRYPTION_KEY: newKey,
      ENCRYPTION_KEY_PREVIOUS: oldKey,
    },
  });
  expect(rekeyed.code).toBe(0);
  const { rows } = await pool.query('select sealed from held_submissions where sealed is not null');
  expect(rows).toHaveLength(20);
  expect(rows.every(({ sealed }) => new SecretBox(newKey).isCurrent(sealed))).toBe(true);
  const next = await start(newKey);
  const read = async (id: string) =>
    (await next.api('GET', `/workspaces/${sender.workspaceId}/held/${id}`)).json.body;
  expect(await Promise.all([...ids.slice(0, 2), ids[19] as string].map(read))).toEqual([
    '{"n":1}',
    '{"n":1}',
    '{"n":19}',
  ]);
  await next.stop();
});
