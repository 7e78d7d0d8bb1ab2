import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLayout } from '../../src/db/citus/cluster.ts';
import { hotTables } from '../../src/db/citus/hot-tables.ts';
import type { MigrationStep } from '../../src/db/migrate.ts';
import { openTestPool } from '../support/database/database.ts';
import { OwnClusterDatabase, query } from './own-cluster-database.ts';

const leadsCount = 640;
const none = { state: 'local', reason: 'no_nodes' };

let database: OwnClusterDatabase;

beforeEach(async () => {
  database = await new OwnClusterDatabase().create();
});
afterEach(() => database.drop());

async function layout() {
  const pool = openTestPool(database.url);
  return readLayout(pool).finally(() => pool.end());
}

/** Ten in each shard. */
const fill = () =>
  query(
    database.url,
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
       grade, verdict, reasons, ruleset)
     select i % 64, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'server', now(), '', '{}', 1, 1, 'A', 'clean',
       '[]', 'r' from generate_series(1, ${leadsCount}) as i`,
  );

async function countLeads(url = database.url): Promise<number> {
  const [row] = await query<{ count: string }>(url, 'select count(*) from leads');
  return Number(row?.count);
}

test('a filled database becomes a cluster: all rows are on the nodes, in buckets of equal size, and functions follow', async () => {
  await database.migrate();
  await fill();
  await database.becomeCluster();
  // A start does not copy rows, and processes that migrate at the same time wait for each other.
  expect((await database.migrate({ isAtStart: true })).distribution).toMatchObject({ reason: 'filled' });
  expect((await layout()).local).toEqual([...hotTables]);

  const steps: MigrationStep[] = [];
  const both = await Promise.all([
    database.migrate({ tell: (step) => steps.push(step) }),
    database.migrate({ isAtStart: true }),
  ]);
  expect(both.map(({ distribution }) => distribution?.state).toSorted()).toContain('distributed');
  expect(await layout()).toEqual({ buckets: 8, distributed: [...hotTables], local: [], elsewhere: [] });
  expect(steps).toContainEqual({ kind: 'copied', table: 'leads', rows: leadsCount });
  expect(await countLeads()).toBe(leadsCount);
  const kept = await query(database.url, `select pg_relation_size('leads')::int as bytes`);
  expect(kept).toEqual([{ bytes: 0 }]);

  const perBucket = await query<{ shards: number }>(
    database.url,
    `select count(*)::int as shards from generate_series(0, 63) as shard
     group by get_shard_id_for_distribution_column('leads', shard::smallint)`,
  );
  expect(perBucket).toEqual(Array.from({ length: 8 }, () => ({ shards: 8 })));

  // Those from before Citus, and those that a later migration replaces.
  await query(
    database.url,
    `create or replace function rate_granted(wanted integer, minute_left integer, day_left integer)
     returns integer language sql immutable as 'select 7'`,
  );
  for (const url of database.nodeUrls) {
    expect(await query(url, 'select rate_granted(1, 1, 1) as granted')).toEqual([{ granted: 7 }]);
    expect(await query(url, `select count(*)::int from pg_proc where proname = 'ingest_drain'`)).toEqual([
      { count: 1 },
    ]);
  }
});

test('a table that a later version adds is distributed with the others, and a wish for other buckets changes nothing', async () => {
  await database.becomeCluster();
  expect((await database.migrate({ isAtStart: true, buckets: 8 })).distribution).toMatchObject({
    state: 'distributed',
    buckets: 8,
  });
  await fill();
  await query(database.url, 'drop table lead_marks');
  await query(
    database.url,
    'create table lead_marks (shard smallint, workspace_id uuid, primary key (shard, workspace_id))',
  );
  const { distribution } = await database.migrate({ isAtStart: true, buckets: 64 });
  expect(distribution).toEqual({ state: 'distributed', buckets: 8, added: ['lead_marks'] });
  expect(await layout()).toMatchObject({ local: [], elsewhere: [] });
  expect(await countLeads(database.nodeUrls[0])).toBe(leadsCount);
});

test('a distribution that is killed in the middle changes nothing, and the next one completes it', async () => {
  await database.migrate();
  await fill();
  await database.becomeCluster();
  const killedAt = async (kind: MigrationStep['kind'], table?: string) => {
    let killed: Promise<unknown> | null = null;
    const tell = (step: MigrationStep) => {
      if (step.kind !== kind || ('table' in step && step.table !== table)) return;
      killed = query(
        database.url,
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
         where application_name = 'leadgate migrate' and datname = current_database()`,
      );
    };
    await expect(database.migrate({ tell })).rejects.toThrow();
    await killed;
  };
  for (const [kind, table] of [
    ['buckets'],
    ['waiting'],
    ['copied', 'leads'],
    ['copied', 'lead_marks'],
  ] as const) {
    await killedAt(kind, table);
    expect(await layout()).toMatchObject({ distributed: [], elsewhere: [] });
    expect(await countLeads()).toBe(leadsCount);
  }
  await killedAt('cleaning');
  expect(await countLeads()).toBe(leadsCount);
  expect((await database.migrate({ isAtStart: true })).distribution?.state).toBe('distributed');
  expect(await countLeads()).toBe(leadsCount);
  expect(await query(database.url, `select pg_relation_size('leads')::int as bytes`)).toEqual([{ bytes: 0 }]);
});

test('a cluster without nodes keeps its tables on the coordinator, which can hold buckets itself', async () => {
  await database.becomeCluster({ nodes: 0 });
  expect((await database.migrate()).distribution).toMatchObject(none);
  expect((await database.migrate({ isAtStart: true })).distribution).toMatchObject(none);
  await fill();
  await query(
    database.url,
    `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', true) from pg_dist_node`,
  );
  const { distribution } = await database.migrate({ buckets: 4 });
  expect(distribution).toMatchObject({ state: 'distributed', buckets: 4 });
  expect(await countLeads()).toBe(leadsCount);
});

test('migrate on a node names the coordinator and changes nothing', async () => {
  await database.becomeCluster();
  const [node = ''] = database.nodeUrls;
  await expect(database.migrate({}, node)).rejects.toThrow(
    /is node 127\.0\.0\.1:\d+ of a Citus cluster\. Point it at the coordinator, 127\.0\.0\.1:\d+/,
  );
  expect(await query(node, `select to_regclass('leads') as leads`)).toEqual([{ leads: null }]);
});
