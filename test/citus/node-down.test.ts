import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readBucketMap } from '../../src/db/citus/nodes/bucket-map.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { openTestPool } from '../support/database/database.ts';
import { nameOf } from '../support/database/servers.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let pool: pg.Pool;
/** One workspace per node. */
let here: Sender;
let there: Sender;

beforeAll(async () => {
  service = await startTestService({ env: { ENRICH_NETWORK: 'off' } });
  pool = openTestPool(service.databaseUrl);
  const byNode = new Map<number | undefined, Sender>();
  const map = await readBucketMap(pool, 10_000);
  while (byNode.size < 2) {
    const sender = await createSender(service);
    byNode.set(map?.[shardOf(sender.workspaceId)]?.groupId, sender);
  }
  [here, there] = [...byNode.entries()].toSorted().map(([, sender]) => sender) as [Sender, Sender];
});
afterAll(async () => {
  await setNode(true);
  await pool.end();
  await service.stop();
});

/** The last node refuses or accepts connections to this database. Other tests use the same node. */
async function setNode(isUp: boolean): Promise<void> {
  const name = await nameOf(service.databaseUrl);
  const client = new pg.Client({ connectionString: inject('nodeUrls').at(-1) as string });
  await client.connect();
  await client.query(`alter database ${name} with allow_connections ${isUp}`);
  if (!isUp)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}

async function seen({ workspaceId }: Sender) {
  const path = `/workspaces/${workspaceId}`;
  const leads = (await service.api('GET', `${path}/leads`)).json.items ?? [];
  const { rows } = await pool.query(
    `select sum(count)::int as sum from outcome_counts where shard = $1 and workspace_id = $2 and outcome = 'accepted'`,
    [shardOf(workspaceId), workspaceId],
  );
  return {
    leads: leads.map((lead: { submission_id: string }) => lead.submission_id),
    enriched: leads.filter((lead: { enrichment: unknown }) => lead.enrichment !== null).length,
    accepted: rows[0].sum,
  };
}

test('while a node is down, leads of other nodes are stored, counted and enriched; afterwards its own are, once', async () => {
  const before = submissionIdOf(await post(service, there, 'server', '{"email":"first@example.com"}'));
  await eventually(
    () => seen(there),
    ({ accepted, enriched }) => accepted === 1 && enriched === 1,
  );
  await setNode(false);
  const [one, other] = [await post(service, here, 'server'), await post(service, there, 'server')];
  expect([one.status, other.status]).toEqual([202, 202]);
  const whole = (sender: Sender, count: number) =>
    eventually(
      () => seen(sender),
      ({ accepted, enriched }) => accepted === count && enriched === count,
    );
  expect(await whole(here, 1)).toEqual({ leads: [submissionIdOf(one)], enriched: 1, accepted: 1 });
  expect((await service.api('GET', `/workspaces/${there.workspaceId}/leads`)).status).toBe(503);
  const health = await service.api('GET', '/operator/health');
  expect([health.status, health.json.enrichment?.noted ?? null]).toEqual([200, null]);
  await setNode(true);
  expect(await whole(there, 2)).toEqual({ leads: [submissionIdOf(other), before], enriched: 2, accepted: 2 });
  expect((await seen(here)).accepted).toBe(1);
});
