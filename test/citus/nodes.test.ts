import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CommitConnection } from '../../src/db/ingest/commit-connection.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { OwnClusterDatabase, portOf, query } from './own-cluster-database.ts';

interface Place {
  readonly bucket: number;
  readonly host: string;
  readonly port: number;
}

const database = new OwnClusterDatabase();
let services: TestService[] = [];

beforeAll(async () => {
  await database.create();
  await database.becomeCluster();
  await database.migrate();
});
afterEach(async () => {
  for (const service of services) await service.stop();
  services = [];
});
afterAll(() => database.drop());

async function start(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ databaseUrl: database.url, env });
  services.push(service);
  return service;
}

async function placeOf(sender: Sender): Promise<Place> {
  const [place] = await query<Place>(
    database.url,
    `select p.shardid::int as bucket, n.nodename as host, n.nodeport as port
     from pg_dist_placement p join pg_dist_node n using (groupid)
     where p.shardid = get_shard_id_for_distribution_column('buckets', ${shardOf(sender.workspaceId)}::smallint)`,
  );
  return place as Place;
}

/** Senders until two live in different buckets of one node. */
async function neighbours(service: TestService): Promise<[Sender, Sender]> {
  const one = await createSender(service);
  const place = await placeOf(one);
  for (;;) {
    const other = await createSender(service);
    const { bucket, port } = await placeOf(other);
    if (port === place.port && bucket !== place.bucket) return [one, other];
  }
}

const lead = (n: number) => JSON.stringify({ email: `ada${n}@gmail.com` });

test.each(['direct', 'coordinator'])(
  'leads follow a bucket that moves to another node (%s)',
  async (route) => {
    const service = await start({ CITUS_ROUTE: route });
    const sender = await createSender(service);
    expect((await post(service, sender, 'server', lead(1))).status).toBe(202);
    const before = await placeOf(sender);
    const [target] = await query<{ host: string; port: number }>(
      database.url,
      `select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards and nodeport <> ${before.port}`,
    );
    await query(
      database.url,
      `select citus_move_shard_placement(${before.bucket}, '${before.host}', ${before.port}, '${target?.host}', ${target?.port}, 'block_writes')`,
    );
    expect((await post(service, sender, 'server', lead(2))).status).toBe(202);
    // In PostgreSQL, not in the spool.
    expect(await leadsOf(service, sender)).toHaveLength(2);
    expect(await metricOf(service, 'leadgate_spool_drained_total')).toBe(0);
    expect(await placeOf(sender)).toMatchObject({ port: target?.port });
    // From here, and not passed on by the node that had the bucket.
    const [sessions] = await query<{ count: number }>(
      database.nodeUrls[await nodeAt(target?.port as number)] as string,
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and application_name = 'leadgate ingest'`,
    );
    expect(sessions?.count).toBe(route === 'direct' ? 1 : 0);
  },
);

test('leads of a bucket that is being moved wait in the spool, and those of its neighbours do not', async () => {
  const service = await start();
  const [moving, neighbour] = await neighbours(service);
  const { bucket, port } = await placeOf(moving);
  const url = database.nodeUrls[await nodeAt(port)] as string;
  const mover = new pg.Client({ connectionString: url });
  await mover.connect();
  // What Citus holds while it copies a bucket with its writes blocked.
  await mover.query(`begin; select lock_shard_metadata(7, array[${bucket}])`);
  const posts = [moving, neighbour, moving].map((sender, n) => post(service, sender, 'server', lead(n)));
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await leadsOf(service, neighbour)).toHaveLength(1);
  expect(await leadsOf(service, moving)).toHaveLength(0);
  await mover.query('commit');
  await mover.end();
  const left = () => metricOf(service, 'leadgate_spool_leads');
  expect(await eventually(left, (leads) => leads === 0)).toBe(0);
  expect(await leadsOf(service, moving)).toHaveLength(2);
});

test('what a node has by default decides neither whether a commit is on disk nor what it sees', async () => {
  const [url] = database.nodeUrls as [string];
  const client = new pg.Client({ connectionString: `${url}?options=-c%20synchronous_commit=off` });
  await client.connect();
  await client.query(`begin; select hold_buckets('{}')`);
  expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await client.query('rollback; begin isolation level repeatable read');
  await expect(client.query(`select hold_buckets('{}')`)).rejects.toMatchObject({ code: '25000' });
  await client.end();
});

test('a lane leaves a server that still responds when its node has got another address', async () => {
  const [first, second] = database.nodeUrls as [string, string];
  let url = first;
  const ports: number[] = [];
  const lane = new CommitConnection({
    databaseUrl: () => url,
    deadlineMs: 10_000,
    async commit(client) {
      const { rows } = await client.query<{ port: string }>('show port');
      ports.push(Number(rows[0]?.port));
      return [];
    },
  });
  const commit = () => lane.commit([], { now: 0, isRetry: false });
  await commit();
  url = second;
  await commit();
  await lane.close();
  expect(ports).toEqual([await portOf(first), await portOf(second)]);
});

async function nodeAt(port: number): Promise<number> {
  const ports = await Promise.all(
    database.nodeUrls.map((url) =>
      query<{ port: string }>(url, 'show port').then(([row]) => Number(row?.port)),
    ),
  );
  return ports.indexOf(port);
}

test('a service goes on when its tables are distributed while it runs', async () => {
  const filled = await new OwnClusterDatabase().create();
  await filled.migrate();
  const service = await startTestService({ databaseUrl: filled.url });
  const sender = await createSender(service);
  expect((await post(service, sender, 'server', lead(1))).status).toBe(202);
  await filled.becomeCluster();
  await filled.migrate();
  expect((await post(service, sender, 'server', lead(2))).status).toBe(202);
  const stored = async () => (await leadsOf(service, sender)).length;
  expect(await eventually(stored, (leads) => leads === 2)).toBe(2);
  await service.stop();
  await filled.drop();
});
