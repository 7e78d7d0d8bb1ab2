import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryAndRelease } from '../../../src/db/ingest/released-query.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';

const lengths = {
  name: 'lengths',
  text: 'select length($1::bytea), length($2::bytea)',
  rowMode: 'array' as const,
};
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('values of queries that have ended do not stay in memory', async () => {
  const script = join(import.meta.dirname, '../../support/database/heavy-queries.ts');
  const flags = ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, database.url]);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThan(10);
});

test('values are sent whole, and released before PostgreSQL responds', async () => {
  const values = [Buffer.alloc(100_000), Buffer.alloc(7)];
  const answer = queryAndRelease(client, lengths, values);
  expect(values).toEqual([]);
  expect(await answer).toEqual([[100_000, 7]]);
});

test('values of a statement that waits for another one are kept until it is sent', async () => {
  const busy = client.query('select 1');
  const values = [Buffer.alloc(1), Buffer.alloc(2)];
  const answer = queryAndRelease(client, lengths, values);
  expect(values.length).toBe(2);
  await busy;
  expect(await answer).toEqual([[1, 2]]);
  expect(values).toEqual([]);
});

test('a refused statement rejects with the error of PostgreSQL, and the connection can be used again', async () => {
  const refused = { ...lengths, name: 'refused', text: 'select 1 / length($1::bytea)' };
  await expect(queryAndRelease(client, refused, [Buffer.alloc(0)])).rejects.toMatchObject({ code: '22012' });
  expect(await queryAndRelease(client, lengths, [Buffer.alloc(3), Buffer.alloc(4)])).toEqual([[3, 4]]);
});

test('a statement on a connection that has ended rejects', async () => {
  const ended = new pg.Client({ connectionString: database.url });
  await ended.connect();
  await ended.end();
  await expect(queryAndRelease(ended, lengths, [Buffer.alloc(0), Buffer.alloc(0)])).rejects.toThrow();
});
