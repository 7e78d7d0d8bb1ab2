import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteLeads, readNotes, takeNotes } from '../../src/db/relay/outbox.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const takes = {
  'of one server': (client: pg.PoolClient) => takeNotes(client, 20),
  'of a node': (client: pg.PoolClient) => readNotes(client, [0, 1], 20),
};
test.each(Object.entries(takes))('of a backlog, the relay %s reads only what it takes', async (_, take) => {
  const read: number[] = [];
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`, values);
    const keep = (plan: Plan) => {
      if (plan['Node Type'].endsWith('Scan') && plan['Relation Name'] === 'enrichment_outbox')
        read.push(plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0));
      for (const inner of plan.Plans ?? []) keep(inner);
    };
    keep(rows[0]['QUERY PLAN'][0].Plan);
    return pool.query(text, values);
  };
  await pool.query(
    `insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids)
     select 0, '{0}', array[gen_random_uuid()], array[gen_random_uuid()] from generate_series(1, 3000)`,
  );
  await take({ query } as unknown as pg.PoolClient);
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...read)).toBeLessThan(100);
});

test.each(Object.entries(takes))(
  'a turn of the relay %s is about a bounded number of leads',
  async (_, take) => {
    await pool.query('truncate enrichment_outbox');
    await pool.query(
      `insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids, type)
     select 0, array_fill(0::smallint, '{50}'), array_fill(gen_random_uuid(), '{50}'),
       array_fill(gen_random_uuid(), '{50}'), 'lead.erased' from generate_series(1, 100)`,
    );
    const client = await pool.connect();
    const taken = await take(client);
    client.release();
    expect(taken.flatMap(({ submissionIds }) => submissionIds)).toHaveLength(500);
  },
);

test('on one server, leads of any shards are noted together, with a statement and fifty to a note', async () => {
  await pool.query('truncate enrichment_outbox');
  const leads = Array.from({ length: 60 }, (_, shard) => ({
    ...{ shard, workspaceId: crypto.randomUUID(), submissionId: crypto.randomUUID() },
  }));
  let statements = 0;
  const query = (text: string, values: unknown[]) => {
    statements++;
    return pool.query(text, values);
  };
  await noteLeads({ query } as unknown as pg.PoolClient, leads, { type: 'enrich' });
  expect(statements).toBe(1);
  const client = await pool.connect();
  try {
    const notes = await takeNotes(client, 20);
    expect(notes.map(({ submissionIds }) => submissionIds.length).toSorted()).toEqual([10, 50]);
    const noted = notes.flatMap(({ shards, workspaceIds, submissionIds }) =>
      shards.map((shard, i) => ({ shard, workspaceId: workspaceIds[i], submissionId: submissionIds[i] })),
    );
    expect(noted.toSorted((a, b) => a.shard - b.shard)).toEqual(leads);
  } finally {
    client.release();
  }
});
