import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrate/migrate-database.ts';
import { readConfig } from '../../src/config.ts';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { OwnServer } from '../support/database/own-server.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { encryptionKey, operatorKey, type TestService } from '../support/service.ts';

let primary: OwnServer;
beforeAll(async () => {
  primary = await OwnServer.create();
});
afterAll(() => primary.close());

const deadline = { COMMIT_DEADLINE_MS: '1000' };

/** Keeps log lines, so that a test can wait for them. */
class Log {
  readonly lines: string[] = [];
  readonly logger = pino({ level: 'debug' }, { write: (line) => void this.lines.push(JSON.parse(line).msg) });

  count(text: string): number {
    return this.lines.filter((line) => line.includes(text)).length;
  }

  async times(text: string, wanted: number): Promise<void> {
    const count = async () => this.count(text);
    expect(await eventually(count, (times) => times >= wanted)).toBeGreaterThanOrEqual(wanted);
  }
}

async function awaitMetric(service: TestService, name: string, wanted: number): Promise<void> {
  expect(
    await eventually(
      () => metricOf(service, name),
      (value) => value === wanted,
    ),
  ).toBe(wanted);
}

/** A sender that was created while the primary was the only server. */
async function senderOf(server: OwnServer, dataDir: string): Promise<Sender> {
  const service = await server.start({ env: { DATA_DIR: dataDir } });
  const sender = await createSender(service);
  // The next start in this folder will know it.
  const snapshot = new DirectorySnapshot(join(dataDir, 'spool'), new SecretBox(encryptionKey));
  const [present] = await server.query('select revision from directory_revision');
  const kept = async () => (await snapshot.read())?.revision;
  expect(await eventually(kept, (revision) => revision === present?.revision)).toBe(present?.revision);
  await server.stop(service);
  return sender;
}

async function takesLeads(service: TestService, sender: Sender, spooled: string[]): Promise<void> {
  await awaitMetric(service, 'leadgate_database_available', 1);
  await awaitMetric(service, 'leadgate_spool_leads', 0);
  const direct = submissionIdOf(await post(service, sender, 'webhook', '{"n":2}'));
  expect(await metricOf(service, 'leadgate_spool_leads')).toBe(0);
  const stored = (await leadsOf(service, sender)).map((lead) => lead.submission_id);
  expect(stored.toSorted()).toEqual([direct, ...spooled].toSorted());
}

test('started on a hot standby, the service uses at most three connections, spools leads, and stores them after the promotion', async () => {
  onTestFinished(() => primary.clear());
  const sender = await senderOf(primary, primary.dataDir('first'));
  const standby = await primary.createStandby();
  const log = new Log();
  // A new folder: only the standby says who may send.
  const service = await standby.start({
    log: log.logger,
    env: { DATA_DIR: primary.dataDir('new'), ...deadline },
  });
  const spooled = submissionIdOf(await post(service, sender, 'server', '{"n":1}'));
  expect(await metricOf(service, 'leadgate_spool_leads')).toBe(1);

  const triesBefore = log.count('PostgreSQL probe failed');
  await log.times('PostgreSQL probe failed', triesBefore + 6);
  const [held] = await standby.query(
    `select count(*)::integer as connections from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  expect(held?.connections).toBeLessThanOrEqual(3);
  expect(log.count('PostgreSQL is read-only, like a standby')).toBe(1);

  await standby.promote();
  await takesLeads(service, sender, [spooled]);
  const listeners = () =>
    standby.query(`select from pg_stat_activity where query = 'listen leadgate_directory'`);
  expect(await eventually(listeners, ({ length }) => length === 1)).toHaveLength(1);
});

test('a server that is set to read-only gets no leads until it is writable again', async () => {
  onTestFinished(() => primary.clear());
  const log = new Log();
  const service = await primary.start({ log: log.logger, env: deadline });
  const sender = await createSender(service);
  await primary.query(`alter database leadgate set default_transaction_read_only = on`);
  await primary.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and application_name like 'leadgate%'`);
  const spooled = submissionIdOf(await post(service, sender, 'server', '{"n":1}'));
  await log.times('PostgreSQL probe failed', 2);
  expect(log.count('PostgreSQL is read-only')).toBe(1);
  expect(await metricOf(service, 'leadgate_spool_leads')).toBe(1);
  await primary.query(
    'begin read write; alter database leadgate reset default_transaction_read_only; commit',
  );
  await takesLeads(service, sender, [spooled]);
});

describe('a standby that nobody promotes', () => {
  let sender: Sender;
  let standby: OwnServer;

  // The snapshot in the folder "known" is older than the revocation, the standby is newer.
  beforeAll(async () => {
    sender = await senderOf(primary, primary.dataDir('known'));
    const other = await primary.start();
    await other.api('DELETE', `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}`);
    expectRejected(await post(other, sender, 'server', '{"n":1}'));
    await primary.stop(other);
    standby = await primary.createStandby();
  });
  afterAll(() => primary.clear());

  test('keeps a revoked token revoked, whatever an older snapshot says', async () => {
    const service = await standby.start({ env: { DATA_DIR: primary.dataDir('known'), ...deadline } });
    expectRejected(await post(service, sender, 'server', '{"n":1}'));
    expect((await post(service, sender, 'webhook', '{"n":1}')).status).toBe(202);
  });

  test('shows a change that reaches it to a service that started on it', async () => {
    const service = await standby.start({ env: deadline });
    const writer = await primary.start();
    const later = await createSender(writer);
    const answer = await eventually(
      () => post(service, later, 'server', '{"n":1}'),
      ({ status }) => status === 202,
    );
    expect(answer.status).toBe(202);
  });
});

test('migrations wait for the promotion of a standby; until then the snapshot says who may send', async () => {
  onTestFinished(() => primary.clear());
  const known = primary.dataDir('known');
  const sender = await senderOf(primary, known);
  // The newest migration must be one that can run twice.
  const lastMigration = 'select name from migrations order by name desc limit 1';
  const [pending] = await primary.query(lastMigration);
  await primary.query(`delete from migrations where name = '${pending?.name}'`);
  onTestFinished(async () => {
    await primary.query(`insert into migrations (name, run_on) values ('${pending?.name}', now())`);
  });
  const standby = await primary.createStandby();
  const log = new Log();
  const service = await standby.start({ log: log.logger, env: { DATA_DIR: known, ...deadline } });
  const stranger = await standby.start({ env: { DATA_DIR: primary.dataDir('new'), ...deadline } });
  const spooled = submissionIdOf(await post(service, sender, 'server', '{"n":1}'));
  await expect(post(stranger, sender, 'server', '{"n":1}')).rejects.toThrow();
  await log.times('PostgreSQL probe failed', 2);
  expect(log.count('migrations are pending until it is promoted')).toBe(1);
  const keys = { OPERATOR_KEY: operatorKey, ENCRYPTION_KEY: encryptionKey };
  const config = readConfig({ DATABASE_URL: standby.url, DATA_DIR: known, ...keys });
  await expect(migrateDatabase(config, undefined, () => {})).rejects.toThrow(
    'The server is a standby or read-only.',
  );

  await standby.promote();
  await takesLeads(service, sender, [spooled]);
  expect(await standby.query(lastMigration)).toEqual([pending]);
});
