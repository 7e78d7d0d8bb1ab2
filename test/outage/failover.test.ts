import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient, createPool } from '../../src/db/hosts/clients.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { OwnServer, urlOfAll } from '../support/database/own-server.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import type { TestService } from '../support/service.ts';

let primary: OwnServer;
let standby: OwnServer;

const deadline = { COMMIT_DEADLINE_MS: '1000' };

/** Log lines with their fields, so that a test can wait for them. */
class Log {
  readonly lines: Record<string, unknown>[] = [];
  readonly logger = pino({ level: 'info' }, { write: (line) => void this.lines.push(JSON.parse(line)) });

  async has(text: string): Promise<Record<string, unknown>> {
    const find = async () => this.lines.find(({ msg }) => String(msg).includes(text));
    const line = await eventually(find, (found) => found !== undefined);
    expect(line, text).toBeDefined();
    return line as Record<string, unknown>;
  }
}

async function awaitMetric(service: TestService, name: string, wanted: number): Promise<void> {
  const isThere = (value: number) => value === wanted;
  expect(await eventually(() => metricOf(service, name), isThere)).toBe(wanted);
}

/** Accepts connections and never says a word. */
async function silentHost(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function send(service: TestService, sender: Sender, n: number): Promise<string> {
  const answer = await post(service, sender, 'server', JSON.stringify({ n }));
  expect(answer.status).toBe(202);
  return submissionIdOf(answer);
}

async function storedIn(server: OwnServer): Promise<string[]> {
  const rows = await server.query('select submission_id::text as id from leads order by received_at');
  return rows.map(({ id }) => String(id));
}

/** What the doctor says about the hosts. */
async function examine(databaseUrl: string): Promise<{ check: string; status: string; text: string }[]> {
  const { json } = await warmLeadgate(['doctor', '--json'], {
    env: { PORT: '0', DATABASE_URL: databaseUrl },
  });
  return json.filter(({ check }: { check: string }) => /^(?:host|primary|synchronous)/.test(check));
}

describe('between two servers', () => {
  beforeEach(async () => {
    primary = await OwnServer.create();
    standby = await primary.createStandby();
  });
  afterEach(async () => {
    primary.freeze('SIGCONT');
    await primary.close();
  });

  test('a service follows the promotion of a standby, stores what it spooled, and never returns to the old primary', async () => {
    await primary.requireStandby();
    const log = new Log();
    const databaseUrl = urlOfAll(await silentHost(), primary, standby);
    const service = await primary.start({ databaseUrl, log: log.logger, env: deadline });
    const sender = await createSender(service);
    const ids = [await send(service, sender, 1)];
    // Its connections stay open, and no statement ends.
    primary.freeze('SIGSTOP');
    ids.push(await send(service, sender, 2));
    await standby.promote();
    await awaitMetric(service, 'leadgate_database_available', 1);
    await awaitMetric(service, 'leadgate_spool_leads', 0);
    ids.push(await send(service, sender, 3));
    expect((await leadsOf(service, sender)).map((lead) => lead.submission_id).toSorted()).toEqual(
      ids.toSorted(),
    );
    expect((await storedIn(standby)).toSorted()).toEqual(ids.toSorted());

    // Nobody told the old primary that it was replaced. It accepts writes, and is the only one that responds.
    primary.freeze('SIGCONT');
    await primary.returnStandby();
    await standby.kill();
    ids.push(await send(service, sender, 4));
    const refused = await log.has('PostgreSQL host refused');
    expect(refused.reason).toContain('its timeline is 1, and timeline 2 was seen');
    await awaitMetric(service, 'leadgate_database_available', 0);
    expect(await storedIn(primary)).not.toContain(ids[3]);
    await standby.restart();
    await awaitMetric(service, 'leadgate_spool_leads', 0);
    const two = (await examine(urlOfAll(primary, standby))).find(({ check }) => check === 'primary');
    expect(two?.text).toContain('2 hosts accept writes');
    expect((await storedIn(standby)).toSorted()).toEqual(ids.toSorted());
  });

  test('a service starts while the first host is down, refuses a primary that becomes read-only, and uses it again later', async () => {
    const databaseUrl = urlOfAll('127.0.0.1:1', standby, primary);
    const service = await primary.start({ databaseUrl, env: deadline });
    const sender = await createSender(service);
    await send(service, sender, 1);
    expect(await metricOf(service, 'leadgate_spool_leads')).toBe(0);

    const settle = async (value: string) => {
      await primary.query(
        `begin read write; alter database leadgate set default_transaction_read_only = ${value}; commit`,
      );
      // Existing connections keep their setting.
      await primary.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'leadgate%'`,
      );
    };
    await primary.query(`alter system set synchronous_commit = local`);
    await primary.query('select pg_reload_conf()');
    expect(await examine(databaseUrl)).toMatchObject([
      { check: 'host 127.0.0.1:1', status: 'warning', text: expect.stringContaining('ECONNREFUSED') },
      { status: 'ok', text: expect.stringMatching(/^Standby, [0-9.]+ KB behind the primary\.$/) },
      { status: 'ok', text: 'Primary, timeline 1.' },
      { check: 'synchronous standby', status: 'warning', text: expect.stringContaining('can be lost') },
      { check: 'synchronous commit', status: 'warning', text: expect.stringContaining('is local') },
    ]);

    await settle('on');
    await send(service, sender, 2);
    expect(await metricOf(service, 'leadgate_spool_leads')).toBe(1);
    const { status } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads`);
    expect(status).toBe(503);
    await settle('off');
    await awaitMetric(service, 'leadgate_spool_leads', 0);
    expect(await leadsOf(service, sender)).toHaveLength(2);
  });

  test('started on standbys only, a service reads who may send, spools leads, and stores them after a promotion', async () => {
    const writer = await primary.start();
    const sender = await createSender(writer);
    await primary.stop(writer);
    const copied = () => standby.query(`select from forms where id = '${sender.formId}'`);
    expect(await eventually(copied, ({ length }) => length === 1)).toHaveLength(1);
    await primary.kill();
    const databaseUrl = urlOfAll(primary, standby);
    const service = await primary.start({
      databaseUrl,
      env: { ...deadline, DATA_DIR: primary.dataDir('new') },
    });
    await send(service, sender, 1);
    expect(await metricOf(service, 'leadgate_spool_leads')).toBe(1);
    const without = await examine(databaseUrl);
    expect(without.at(-1)).toMatchObject({
      check: 'primary',
      status: 'fault',
      text: expect.stringContaining('No host'),
    });
    const migrated = await warmLeadgate(['migrate'], { env: { DATABASE_URL: databaseUrl } });
    expect(migrated.stderr).toMatch(
      /^PostgreSQL is not usable: no host of DATABASE_URL accepts writes: [^\n]+\n$/,
    );

    await standby.promote();
    await awaitMetric(service, 'leadgate_spool_leads', 0);
    await send(service, sender, 2);
    expect(await leadsOf(service, sender)).toHaveLength(2);
  });
});

test('a new connection to a server that became read-only is refused, and an open one leaves the pool', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const [, user, name, socket] = /\/\/(.*)@\/(.*)\?host=(.*)$/.exec(database.url) ?? [];
  const databaseUrl = `postgres://${user}@${socket}/${name}?target_session_attrs=primary`;
  const pool = createPool({ databaseUrl, max: 1 });
  onTestFinished(() => void pool.end());
  const held = await pool.connect();
  await held.query(`alter database ${name} set default_transaction_read_only = on`);
  await expect(createClient({ databaseUrl }).connect()).rejects.toMatchObject({ code: '25006' });

  await held.query('set default_transaction_read_only = on');
  await expect(held.query('create table x ()')).rejects.toMatchObject({ code: '25006' });
  // Its user saw nothing wrong with the connection.
  held.release();
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: '25006' });
  expect(pool.totalCount).toBe(0);
});
