import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../src/db/pool.ts';
import { OwnServer, type Waiter } from '../support/database/own-server.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { type Answer, createSender, post, submissionIdOf } from '../support/sender.ts';
import type { TestService } from '../support/service.ts';

let server: OwnServer;
beforeAll(async () => {
  server = await OwnServer.create();
});
afterEach(() => server.clear());
afterAll(() => server.close());

// Not clean, so that it is not enriched: a repeated commit of it writes nothing.
const suspectLead = JSON.stringify({ email: 'x@mailinator.com' });
const isCommit = ({ application }: Waiter) => application === 'leadgate ingest';
const shortDeadline = { COMMIT_DEADLINE_MS: '500' };

function spooledLeads(service: TestService): Promise<number> {
  return metricOf(service, 'leadgate_spool_leads');
}

async function awaitMetric(service: TestService, name: string, wanted: number): Promise<void> {
  const isThere = (value: number) => value === wanted;
  expect(await eventually(() => metricOf(service, name), isThere)).toBe(wanted);
}

/** A pending response, and whether it has arrived. */
function watch(answer: Promise<Answer>): { readonly answer: Promise<Answer>; isThere(): boolean } {
  let isThere = false;
  void answer.finally(() => {
    isThere = true;
  });
  return { answer, isThere: () => isThere };
}

test('a spooled lead that is already stored stays in the spool until the synchronous standby has it', async () => {
  const before = await server.start({ env: { ...shortDeadline, DATA_DIR: server.dataDir('before') } });
  const sender = await createSender(before);
  await server.loseStandby();
  const answer = await post(before, sender, 'server', suspectLead);
  expect(await spooledLeads(before)).toBe(1);
  // The spool of a machine that lost its connection right after the commit: its lead is in PostgreSQL too.
  const copy = server.dataDir('copy');
  cpSync(server.dataDir('before'), copy, {
    recursive: true,
    filter: (path) => basename(path) !== 'lock',
  });
  await server.returnStandby();
  await awaitMetric(before, 'leadgate_spool_leads', 0);
  await server.stop(before);

  await server.loseStandby();
  const service = await server.start({ env: { ...shortDeadline, DATA_DIR: copy } });
  const isDrain = ({ query }: Waiter) => query.includes('store_spooled');
  const seen = await eventually(
    async () => ({ waits: (await server.waiters()).some(isDrain), spooled: await spooledLeads(service) }),
    ({ waits, spooled }) => waits || spooled === 0,
  );
  expect(seen).toEqual({ waits: true, spooled: 1 });
  // It does not retry forever, nor leave a process behind that does.
  await awaitMetric(service, 'leadgate_database_available', 0);
  const left = async () => (await server.waiters()).filter(isDrain);
  expect(await eventually(left, ({ length }) => length === 0)).toEqual([]);
  expect(await spooledLeads(service)).toBe(1);

  await server.returnStandby();
  await awaitMetric(service, 'leadgate_spool_leads', 0);
  const stored = (await leadsOf(service, sender)).map((lead) => lead.submission_id);
  expect(stored).toEqual([submissionIdOf(answer)]);
});

test.each([
  ['whose connection was ended', 'pg_terminate_backend'],
  ['whose wait was cancelled', 'pg_cancel_backend'],
])('a commit %s is not answered before the synchronous standby has the lead', async (_, end) => {
  const service = await server.start();
  const sender = await createSender(service);
  await server.loseStandby();
  const { answer, isThere } = watch(post(service, sender, 'server', suspectLead));
  const first = await server.waiter(isCommit);
  const [{ since } = {}] = await server.query('select clock_timestamp()::text as since');
  await server.query(`select ${end}(${first.pid})`);
  // The row is visible, and another attempt finds it.
  const visible = () => server.query(`select from leads where workspace_id = '${sender.workspaceId}'`);
  expect(await eventually(visible, ({ length }) => length === 1)).toHaveLength(1);
  const again = () =>
    server.query(
      `select from pg_stat_activity
       where application_name = 'leadgate ingest' and wait_event = 'SyncRep' and query_start > '${since}'`,
    );
  await eventually(again, ({ length }) => length > 0 || isThere());
  expect(isThere()).toBe(false);

  await server.returnStandby();
  const { status, body } = await answer;
  expect(status).toBe(202);
  const stored = (await leadsOf(service, sender)).map((lead) => lead.submission_id);
  expect(stored).toEqual([JSON.parse(body).submission_id]);
});

test('while the synchronous standby is down, the spool answers a retry of a key, not PostgreSQL', async () => {
  const service = await server.start({ env: shortDeadline });
  const sender = await createSender(service);
  const first = await post(service, sender, 'server', suspectLead, { key: 'k' });
  await server.loseStandby();
  const repeat = await post(service, sender, 'server', suspectLead, { key: 'k' });
  expect(repeat.body).toBe(first.body);
  expect(await spooledLeads(service)).toBe(1);

  await server.returnStandby();
  await awaitMetric(service, 'leadgate_spool_leads', 0);
  expect(await leadsOf(service, sender)).toHaveLength(1);
});

test('an unreadable body under a known key gets no response while the synchronous standby is down', async () => {
  const service = await server.start({ env: shortDeadline });
  const sender = await createSender(service);
  const first = await post(service, sender, 'server', suspectLead, { key: 'k' });
  await server.loseStandby();
  await expect(post(service, sender, 'server', '{', { key: 'k' })).rejects.toThrow();
  // The next one does not have to find out again.
  await awaitMetric(service, 'leadgate_database_available', 0);

  await server.returnStandby();
  await awaitMetric(service, 'leadgate_database_available', 1);
  const repeat = await post(service, sender, 'server', '{', { key: 'k' });
  expect(repeat.body).toBe(first.body);
});

test('probes leave no connections behind while the synchronous standby is down', async () => {
  let failures = 0;
  const count = (line: string) => {
    if (JSON.parse(line).msg === 'PostgreSQL probe failed') failures++;
  };
  const log = pino({ level: 'debug' }, { write: count });
  const service = await server.start({ log, env: shortDeadline });
  const sender = await createSender(service);
  await server.loseStandby();
  expect((await post(service, sender, 'server')).status).toBe(202);
  await eventually(
    async () => failures,
    (times) => times >= 4,
  );
  const probes = await server.query(
    `select from pg_stat_activity where application_name = 'leadgate probe' and wait_event = 'SyncRep'`,
  );
  // The last one, and the one before it while it closes.
  expect(probes.length).toBeLessThanOrEqual(2);
});

test('a weaker default of the server or the connection string does not weaken a commit', async () => {
  await server.query('alter database leadgate set synchronous_commit = off');
  const databaseUrl = `${server.url}&options=${encodeURIComponent('-c synchronous_commit=local')}`;
  const pool = openPool(databaseUrl, 1, pino({ level: 'silent' }));
  expect((await pool.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await pool.end();
  const service = await server.start({ databaseUrl, env: shortDeadline });
  const sender = await createSender(service);
  await server.loseStandby();
  expect((await post(service, sender, 'server')).status).toBe(202);
  expect(await spooledLeads(service)).toBe(1);
  await server.waiter(({ application }) => application === 'leadgate probe');
});
