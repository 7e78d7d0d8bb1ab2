import { afterAll, beforeAll, expect, test } from 'vitest';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { encryptionKey, startTestService } from '../support/service.ts';
import { clusterFindings } from './cluster-findings.ts';
import { OwnClusterDatabase, query } from './own-cluster-database.ts';

const role = 'leadgate_of_the_test';
const dataDir = temporaryDataDir();
let database: OwnClusterDatabase;
let url: string;

/** As docs/citus.md says, under "The role of the service". */
beforeAll(async () => {
  database = new OwnClusterDatabase();
  for (const server of database.serverUrls) await query(server, `create role ${role} login`);
  await database.create(role);
  await database.becomeCluster();
  url = database.urlOf(role);
});
afterAll(async () => {
  await database.drop();
  for (const server of database.serverUrls) await query(server, `drop role ${role}`);
  dataDir.remove();
});

test('a role below superuser that owns the database on each server migrates, runs the service and its doctor', async () => {
  const env = { DATABASE_URL: url, DATA_DIR: dataDir.path, ENCRYPTION_KEY: encryptionKey, PORT: '0' };
  const migrated = await warmLeadgate(['migrate', '--json'], { env });
  expect(migrated.json.distribution, migrated.stderr).toMatchObject({ state: 'distributed', buckets: 8 });

  for (const route of ['direct', 'coordinator']) {
    const service = await startTestService({ databaseUrl: url, env: { CITUS_ROUTE: route } });
    // Several, so that more than one node is used.
    for (let number = 0; number < 4; number++) {
      const sender = await createSender(service);
      const key = `key-${number}`;
      const first = await post(service, sender, 'server', someLead, { key });
      expect(first.status).toBe(202);
      expect((await post(service, sender, 'server', someLead, { key })).body).toBe(first.body);
      expect((await post(service, sender, 'webhook', someLead)).status).toBe(202);
      expect((await leadsOf(service, sender)).length).toBe(2);
    }
    const spooled = await query(database.url, 'select count(*)::int from spool_quarantine');
    expect(spooled).toEqual([{ count: 0 }]);
    await service.stop();
  }

  const findings = await clusterFindings(env);
  expect(findings.map(({ status }) => status)).toEqual(['ok', 'fault', 'fault']);
  // The servers of the tests need not survive a power failure.
  for (const { text } of findings.slice(1)) expect(text).toContain('fsync is off');
});
