import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommitConnection } from '../../../src/db/ingest/commit-connection.ts';
import type { CommitOptions } from '../../../src/db/ingest/ingest-commit.ts';
import { queryAndRelease } from '../../../src/db/ingest/released-query.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';

const options: CommitOptions = { now: 0, isRetry: false };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A connection whose commits run a statement each, one after the other. */
function connectionFor(
  statements: string[],
  onSent: (client: pg.Client, options: CommitOptions) => void,
  deadlineMs = 10_000,
) {
  return new CommitConnection({
    databaseUrl: () => database.url,
    deadlineMs,
    async commit(client, _, sent) {
      const text = statements.shift() as string;
      onSent(client, sent);
      await queryAndRelease(client, { name: text, text, rowMode: 'array' }, [], sent.timeoutMs);
      return [];
    },
  });
}

test('commits sent at the same time share a connection, and each has its time after the one before', async () => {
  const clients = new Set<pg.Client>();
  const times: unknown[] = [];
  const slow = 'select pg_sleep(0.2)';
  const connection = connectionFor([slow, 'select 1', 'select 2'], (client, { timeoutMs }) => {
    clients.add(client);
    times.push(timeoutMs);
  });
  const ended: number[] = [];
  const commit = (number: number) => connection.commit([], options).then(() => ended.push(number));
  await Promise.all([commit(1), commit(2)]);
  await commit(3);
  await connection.close();
  expect(ended).toEqual([1, 2, 3]);
  expect(clients.size).toBe(1);
  expect(times).toEqual([10_000, 20_000, 10_000]);
});

test('a refused commit changes nothing for the one sent after it', async () => {
  const clients = new Set<pg.Client>();
  const statements = ['select 1 / 0', 'select 1', 'select 2'];
  const connection = connectionFor(statements, (client) => clients.add(client));
  const [refused, next] = await Promise.allSettled([
    connection.commit([], options),
    connection.commit([], options),
  ]);
  await connection.commit([], options);
  await connection.close();
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
  expect(next).toMatchObject({ status: 'fulfilled' });
  expect(clients.size).toBe(1);
});

test('all commits of a lost connection fail, and the next one has a new connection', async () => {
  const clients: pg.Client[] = [];
  const kill = 'select pg_terminate_backend(pg_backend_pid())';
  const connection = connectionFor([kill, 'select 1', 'select 2'], (client) => clients.push(client));
  const lost = await Promise.allSettled([connection.commit([], options), connection.commit([], options)]);
  await connection.commit([], options);
  await connection.close();
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(clients[1]).toBe(clients[0]);
  expect(clients[2]).not.toBe(clients[0]);
});

test('a commit that waited for the one before is given up when its own time is over', async () => {
  const connection = connectionFor(['set statement_timeout = 0', 'select pg_sleep(60)'], () => {}, 3_000);
  const [first, second] = await Promise.allSettled([
    connection.commit([], options),
    connection.commit([], options),
  ]);
  await connection.close();
  expect(first.status).toBe('fulfilled');
  // Its limit for both together would have ended it with another error.
  expect(second).toMatchObject({ status: 'rejected', reason: { message: 'Connection terminated' } });
});
