import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../src/domain/workspace.ts';
import { endSessions, sessions } from '../support/database/servers.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { type Answer, createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;
let database: pg.Client;

beforeAll(async () => {
  service = await startTestService();
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterEach(() => database.query('alter table leads drop constraint if exists test_poison'));

async function storedIds(): Promise<string[]> {
  const { rows } = await database.query('select submission_id from leads where workspace_id = $1', [
    sender.workspaceId,
  ]);
  return rows.map(({ submission_id }) => submission_id);
}

/** The submission ids that a burst got; null where the connection was closed without a response. */
async function burst(bodies: string[], keyed = false): Promise<(string | null)[]> {
  const one = async (body: string, index: number): Promise<string | null> => {
    const answer: Answer | null = await post(
      service,
      sender,
      'server',
      body,
      keyed ? { key: `k-${index}` } : {},
    ).catch(() => null);
    return answer === null ? null : submissionIdOf(answer);
  };
  return Promise.all(bodies.map(one));
}

test('a lead whose projection PostgreSQL refuses keeps its exact bytes, and its neighbours commit', async () => {
  await database.query(
    `alter table leads add constraint test_poison check (not coalesce(fields, convert_from(body, 'UTF8')::jsonb) ? 'poison') not valid`,
  );
  const bodies = Array.from({ length: 40 }, (_, i) => (i === 17 ? '{"poison":1}' : `{"n":${i}}`));
  const ids = await burst(bodies);
  expect(ids.every((id) => id !== null)).toBe(true);
  const at = `/workspaces/${sender.workspaceId}/leads/${ids[17]}`;
  expect((await service.api('GET', at)).json.fields).toEqual({});
  expect((await service.api('GET', `${at}/body`)).text).toBe('{"poison":1}');
  expect((await leadsOf(service, sender, '?limit=200')).length).toBe(40);
});

test('a lead that PostgreSQL refuses altogether gets no response, and its neighbours commit', async () => {
  await database.query(
    'alter table leads add constraint test_poison check (octet_length(body) <> 7) not valid',
  );
  const bodies = Array.from({ length: 40 }, (_, i) => (i === 5 ? '{"n":1}' : `{"n":${i + 1000}}`));
  const ids = await burst(bodies);
  expect(ids.filter((id) => id === null)).toEqual([null]);
  expect(ids[5]).toBe(null);
  expect((await leadsOf(service, sender, '?limit=200')).length).toBe(39);
});

test('the same key many times in one batch makes one lead', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post(service, sender, 'server', someLead, { key: 'together' })),
  );
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect((await leadsOf(service, sender)).length).toBe(1);
});

test.each([false, true])(
  'when connections are cut during commits, every request is answered and each lead is stored once (keyed: %s)',
  async (keyed) => {
    const cutting = setInterval(
      () => void endSessions(service.databaseUrl, `application_name = 'leadgate ingest'`).catch(() => {}),
      40,
    );
    const ids: (string | null)[] = [];
    for (let round = 0; round < 3; round++) {
      ids.push(
        ...(await burst(
          Array.from({ length: 50 }, (_, i) => `{"n":${round * 50 + i}}`),
          false,
        )),
      );
      if (keyed)
        ids.push(
          ...(await burst(
            Array.from({ length: 50 }, () => someLead),
            true,
          )),
        );
    }
    clearInterval(cutting);
    expect(ids.filter((id) => id === null)).toEqual([]);
    // A commit that was cut twice went to the spool.
    const stored = await eventually(storedIds, ({ length }) => length >= new Set(ids).size);
    expect(stored.toSorted()).toEqual([...new Set(ids)].toSorted());
    const windows = await database.query('select minute_count from rate_windows where workspace_id = $1', [
      sender.workspaceId,
    ]);
    // There is no rate window if every commit was cut and the spool took all leads.
    expect(windows.rows[0]?.minute_count ?? 0).toBeLessThanOrEqual(stored.length);
  },
);

test('a lead that PostgreSQL does not commit within the deadline is spooled, and is stored only once', async () => {
  const own = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { COMMIT_DEADLINE_MS: '300' },
  });
  await database.query('begin');
  await database.query('lock table leads in access exclusive mode');
  const bodies = Array.from({ length: 10 }, (_, i) => `{"n":${i}}`);
  const answers = await Promise.all([
    ...bodies.map((body) => post(own, sender, 'server', body)),
    ...Array.from({ length: 10 }, () => post(own, sender, 'server', someLead, { key: 'stuck' })),
  ]);
  await database.query('rollback');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.slice(10).map(({ body }) => body)).size).toBe(1);
  expect(await eventually(storedIds, ({ length }) => length >= 11)).toHaveLength(11);
  await own.stop();
  expect(await storedIds()).toHaveLength(11);
});

test('leads that wait longer than the deadline for their turn are spooled, even if every commit is in time', async () => {
  const own = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { COMMIT_DEADLINE_MS: '600' },
  });
  await database.query(`create function test_dawdle() returns trigger language plpgsql as
    'begin perform pg_sleep(0.4); return null; end'`);
  await database.query('create trigger test_dawdle after insert on leads execute function test_dawdle()');
  // So large that each needs its own commit. All of them wait before the first one starts.
  const bodies = Array.from({ length: 12 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(120_000) }));
  await database.query('begin');
  await database.query('lock table leads in access exclusive mode');
  const answering = Promise.all(bodies.map((body) => post(own, sender, 'server', body)));
  const taken = async () =>
    (await metricOf(own, 'leadgate_commit_queue_depth')) + (await metricOf(own, 'leadgate_spool_leads'));
  await eventually(taken, (leads) => leads > bodies.length / 2);
  await database.query('rollback');
  const answers = await answering;
  await database.query('drop function test_dawdle cascade');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  await eventually(storedIds, ({ length }) => length >= bodies.length);
  expect((await storedIds()).toSorted()).toEqual(answers.map((answer) => submissionIdOf(answer)).toSorted());
  const drained = () => metricOf(own, 'leadgate_spool_drained_total');
  expect(await eventually(drained, (leads) => leads > 0)).toBeGreaterThan(0);
  await own.stop();
});

test('no workspace waits for large leads of another, and small and large leads of one do not block each other', async () => {
  const large = JSON.stringify({ message: 'a'.repeat(60_000) });
  expect((await post(service, sender, 'server')).status).toBe(202);
  // Slows PostgreSQL down for all leads of this workspace.
  await database.query('begin');
  await database.query('select from rate_windows where shard = $1 and workspace_id = $2 for update', [
    shardOf(sender.workspaceId),
    sender.workspaceId,
  ]);
  let held = 4;
  const hold = (body: string) => post(service, sender, 'server', body).finally(() => held--);
  const own = [hold(large)];
  const blocked = async () =>
    (await sessions(service.databaseUrl, `wait_event_type = 'Lock' and query like '%ingest_commit%'`)).length;
  expect(await eventually(blocked, (count) => count === 1)).toBe(1);
  own.push(hold(someLead), hold(large), hold(someLead));
  const waiting = () => metricOf(service, 'leadgate_commit_queue_depth');
  expect(await eventually(waiting, (leads) => leads === 3)).toBe(3);
  // More than there can be lanes.
  for (let n = 0; n < 6; n++) {
    const neighbour = await createSender(service);
    for (const body of [someLead, '{"n":1}'])
      expect((await post(service, neighbour, 'webhook', body)).status).toBe(202);
  }
  expect(held).toBe(4);
  await database.query('commit');
  expect((await Promise.all(own)).map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  expect(await storedIds()).toHaveLength(5);
  expect(await metricOf(service, 'leadgate_database_available')).toBe(1);
});

test('a large lead waits for small leads of its workspace that are under way, and keys apply across lanes', async () => {
  const large = JSON.stringify({ message: 'a'.repeat(60_000) });
  const keys = Array.from({ length: 60 }, (_, n) => `key ${n % 12}`);
  const answers = await Promise.all(
    keys.map((key, n) => post(service, sender, 'server', n % 3 === 0 ? large : someLead, { key })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  for (let n = 0; n < 12; n++) {
    const ids = answers.filter((_, place) => place % 12 === n).map(submissionIdOf);
    expect(new Set(ids).size).toBe(1);
  }
  expect(await storedIds()).toHaveLength(12);
});
