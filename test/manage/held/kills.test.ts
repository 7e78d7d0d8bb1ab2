import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess, temporaryDataDir } from '../../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender } from '../../support/sender.ts';
import { callApi, encryptionKey, startTestService, type TestService } from '../../support/service.ts';

const count = 500;
const killsMax = 3;
let database: TestDatabase;
let service: TestService;
let pool: pg.Pool;
const dataDir = temporaryDataDir();

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url });
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  dataDir.remove();
});

test('after every kill the next process continues, and each request becomes one lead', async () => {
  const sender = await createSender(service);
  for (let n = 0; n < count; n++) await holdRow(pool, sender, { body: `{"n":${n}}` });
  const env = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
  };
  const leads = async () => {
    const { rows } = await pool.query('select fields from leads where workspace_id = $1', [
      sender.workspaceId,
    ]);
    return rows.map(({ fields }) => fields.n);
  };
  // From here on, only the processes that are killed work on it.
  await service.stop();
  const at = `/workspaces/${sender.workspaceId}/held/admissions`;
  let id = '';
  for (let kills = 0; ; kills++) {
    const child = await startProcess(dataDir.path, env);
    const api = (method: string, path: string, body?: object) => callApi(child.url, method, path, body);
    if (id === '') id = (await api('POST', at, {})).json.id;
    const before = (await leads()).length;
    const read = async () => (await api('GET', `${at}/${id}`)).json;
    if (kills < killsMax) {
      await eventually(leads, (found) => found.length > before);
      await child.kill('SIGKILL');
      continue;
    }
    const ended = await eventually(read, ({ state }) => state !== 'running');
    await child.kill('SIGTERM');
    expect(ended).toMatchObject({ state: 'finished', total: count, done: count, decided: count });
    break;
  }
  const found = await leads();
  expect([found.length, new Set(found).size]).toEqual([count, count]);
});
