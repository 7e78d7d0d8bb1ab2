import { Writable } from 'node:stream';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let logged = '';

beforeAll(async () => {
  const kept = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  service = await startTestService({ log: pino({ level: 'info' }, kept) });
  pool = openTestPool(service.databaseUrl);
  await pool.query('alter table leads add constraint test_poison check (octet_length(body) <> 16) not valid');
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

test('a request that PostgreSQL refuses is not admissible, alone or as the only one of a selection', async () => {
  const sender = await createSender(service);
  const at = `/workspaces/${sender.workspaceId}/held`;
  const id = await holdRow(pool, sender, { body: '{"n":"poisoned"}' });
  const refused = await service.api('POST', `${at}/${id}/admission`);
  expect([refused.status, refused.json.code]).toEqual([409, 'not_admissible']);
  const { json } = await service.api('POST', `${at}/admissions`, {});
  const ended = await eventually(
    async () => (await service.api('GET', `${at}/admissions/${json.id}`)).json,
    ({ state }) => state !== 'running',
  );
  expect(ended).toMatchObject({ state: 'finished', total: 1, done: 1, decided: 0 });
  expect(logged).toContain('held submission refused by the database');
  expect(logged).toContain('test_poison');
  expect(logged).not.toContain('poisoned');
});
