import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { clusterFindings } from './cluster-findings.ts';
import { OwnClusterDatabase, portOf, query } from './own-cluster-database.ts';

const dataDir = temporaryDataDir();
let database: OwnClusterDatabase;

beforeAll(async () => {
  database = await new OwnClusterDatabase().create();
});
afterAll(async () => {
  await database.drop();
  dataDir.remove();
});

const examine = (url = database.url) => clusterFindings({ DATABASE_URL: url, DATA_DIR: dataDir.path });

test('doctor tells local tables, an empty node, a node that is down and a URL of a node, each with a fix', async () => {
  await database.migrate();
  expect(await examine()).toEqual([]);
  await database.becomeCluster({ nodes: 1 });
  const [local] = await examine();
  expect(local).toMatchObject({ check: 'citus', status: 'warning', fix: 'leadgate migrate' });

  await database.migrate({ buckets: 2 });
  const [, second = ''] = database.nodeUrls;
  const port = await portOf(second);
  await query(database.url, `select citus_add_node('127.0.0.1', ${port})`);
  const found = await examine();
  expect(found.slice(0, 3)).toMatchObject([
    { check: 'citus', status: 'ok', text: expect.stringContaining('2 buckets on 2 nodes') },
    { check: 'buckets', status: 'warning', text: `No bucket is on 127.0.0.1:${port}.` },
    { check: 'buckets', status: 'warning', fix: expect.stringContaining('citus_rebalance_start') },
  ]);

  await query(database.url, `update pg_dist_node set nodeport = 1 where nodeport = ${port}`);
  expect(await examine()).toContainEqual({
    check: 'node 127.0.0.1:1',
    status: 'fault',
    text: expect.stringContaining('Down: neither this machine nor the coordinator reaches it'),
    fix: expect.stringContaining('Start it'),
  });
  await query(database.url, `update pg_dist_node set nodeport = ${port} where nodeport = 1`);

  const [ofNode] = await examine(second);
  expect(ofNode).toMatchObject({ check: 'citus', status: 'fault' });
  expect(ofNode?.text).toContain('Point it at the coordinator');
});
