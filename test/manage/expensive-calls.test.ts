import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReaderLimits } from '../../src/start/control-plane.ts';
import { type Browser, join } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createWorkspace, Seed } from './leads/seed.ts';

const forever = 3_600_000;
/** Callers wait as long as it takes. */
let patient: World;
/** Callers wait for a moment, none behind another. */
let hurried: World;

interface World {
  readonly service: TestService;
  readonly seed: Seed;
  readonly pool: pg.Pool;
  readonly workspaceId: string;
}

async function createWorld(readerLimits: Partial<ReaderLimits>): Promise<World> {
  const service = await startTestService({ readerLimits });
  const seed = new Seed(service);
  const workspaceId = await createWorkspace(service);
  await seed.lead(workspaceId, { fields: { n: 0 }, received_at: '2025-06-01T08:00:00Z' });
  return { service, seed, pool: openTestPool(service.databaseUrl), workspaceId };
}

beforeAll(async () => {
  patient = await createWorld({ waitMsMax: forever, stallMsMax: forever });
  hurried = await createWorld({ waitMsMax: 1, stallMsMax: forever });
});
afterAll(async () => {
  for (const { service, seed, pool } of [patient, hurried]) {
    await pool.end();
    await seed.stop();
    await service.stop();
  }
});

let people = 0;
let person: Browser;
beforeEach(async () => {
  person = await newPerson(patient);
});

function newPerson({ service, workspaceId }: World): Promise<Browser> {
  return join(service, workspaceId, `person-${++people}@example.com`, 'owner');
}

const listOf = ({ workspaceId }: World) => `/workspaces/${workspaceId}/leads`;

/** While `work` runs, no list of leads gets an answer from the database. */
async function whileLeadsAreLocked<Result>({ pool }: World, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin; lock table leads in access exclusive mode');
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function untilInProgress({ seed }: World, count: number): Promise<void> {
  const ask = async () =>
    (
      await seed.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database() and query like 'select leads.submission_id as%'`,
      )
    ).length;
  expect(await eventually(ask, (seen) => seen === count)).toBe(count);
}

const times = (count: number, call: () => Promise<{ status: number }>) => Array.from({ length: count }, call);
const statusesOf = async (calls: readonly Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);

test('a person has four expensive calls in progress, and further ones wait; other people do not wait', async () => {
  const other = await newPerson(patient);
  const calls = await whileLeadsAreLocked(patient, async () => {
    const own = times(9, () => person.api('GET', listOf(patient)));
    await untilInProgress(patient, 4);
    const foreign = other.api('GET', `${listOf(patient)}?limit=1`);
    await untilInProgress(patient, 5);
    return [...own, foreign];
  });
  expect(await statusesOf(calls)).toEqual(new Array(10).fill(200));
});

test('the operator key is not limited', async () => {
  const calls = await whileLeadsAreLocked(patient, async () => {
    const own = times(7, () => patient.service.api('GET', listOf(patient)));
    await untilInProgress(patient, 7);
    return own;
  });
  expect(await statusesOf(calls)).toEqual(new Array(7).fill(200));
});

test('a call that has waited too long gets 429, which says when to try again', async () => {
  const impatient = await newPerson(hurried);
  const calls = await whileLeadsAreLocked(hurried, async () => {
    const own = times(4, () => impatient.api('GET', listOf(hurried)));
    await untilInProgress(hurried, 4);
    const fifth = await impatient.api('GET', listOf(hurried));
    expect([fifth.status, fifth.json.code]).toEqual([429, 'too_many_in_progress']);
    expect(fifth.headers.get('content-type')).toBe('application/problem+json');
    expect(fifth.headers.get('retry-after')).toBe('1');
    // Other calls do not wait.
    expect((await impatient.api('GET', '/me')).status).toBe(200);
    return own;
  });
  expect(await statusesOf(calls)).toEqual([200, 200, 200, 200]);
  expect((await impatient.api('GET', listOf(hurried))).status).toBe(200);
});

test('only a limited number of calls wait; the others get 429 immediately', async () => {
  const { calls, refused } = await whileLeadsAreLocked(patient, async () => {
    let done = 0;
    const all = times(40, () => person.api('GET', listOf(patient)).finally(() => done++));
    await eventually(
      async () => done,
      (count) => count === 4,
    );
    return { calls: all, refused: done };
  });
  expect(refused).toBe(4);
  const statuses = await statusesOf(calls);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  expect(statuses.filter((status) => status === 200)).toHaveLength(36);
});

test('callers that disconnect, waiting or served, free their places', async () => {
  const leaving = new AbortController();
  const headers = { ...person.ownHeaders, Cookie: cookieOf(person) };
  const address = `${patient.service.url}/api/v1${listOf(patient)}`;
  const gone = await whileLeadsAreLocked(patient, async () => {
    const calls = Array.from({ length: 6 }, () => fetch(address, { headers, signal: leaving.signal }));
    await untilInProgress(patient, 4);
    leaving.abort();
    return Promise.allSettled(calls);
  });
  expect(gone.map(({ status }) => status)).toEqual(new Array(6).fill('rejected'));
  await expectAllPlacesFree();
});

test('a caller that disconnects while waiting leaves the queue', async () => {
  const { calls, answer } = await whileLeadsAreLocked(patient, async () => {
    const own = times(4, () => person.api('GET', listOf(patient)));
    await untilInProgress(patient, 4);
    return { calls: own, answer: await halfClosed(listOf(patient)) };
  });
  expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  expect(await statusesOf(calls)).toEqual([200, 200, 200, 200]);
});

test('calls that are refused or fail free their places', async () => {
  const refused = times(12, () => person.api('GET', `${listOf(patient)}?cursor=none`));
  expect(new Set(await statusesOf(refused))).toEqual(new Set([422]));
  const head = times(6, () => person.api('HEAD', listOf(patient)));
  expect(new Set(await statusesOf(head))).toEqual(new Set([200]));
  await patient.seed.query('alter table leads rename to leads_away');
  const failed = await statusesOf(times(6, () => person.api('GET', listOf(patient))));
  await patient.seed.query('alter table leads_away rename to leads');
  expect(new Set(failed)).toEqual(new Set([500]));
  await expectAllPlacesFree();
});

test('slow downloads do not block lists, and free their places when the reader disconnects', async () => {
  const reader = await newPerson(hurried);
  await manyLeads(hurried, 20_000);
  const exports = await Promise.all(Array.from({ length: 4 }, () => pausedExport(hurried, reader)));
  expect(exports.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect((await reader.api('GET', listOf(hurried))).status).toBe(200);
  const fifth = await pausedExport(hurried, reader);
  expect(fifth.statusCode).toBe(429);
  exports[0]?.destroy();
  const sixth = await eventually(
    () => pausedExport(hurried, reader),
    ({ statusCode }) => statusCode === 200,
  );
  expect(sixth.statusCode).toBe(200);
  for (const response of [...exports, sixth]) response.destroy();
});

test('a download whose reader stops reading is cut off, and does not look complete', async () => {
  const strict = await createWorld({ waitMsMax: forever, stallMsMax: 50 });
  const reader = await newPerson(strict);
  await manyLeads(strict, 20_000);
  const stalled = await Promise.all(Array.from({ length: 4 }, () => pausedExport(strict, reader)));
  // It waits until one of the others is cut off.
  const fifth = await pausedExport(strict, reader);
  expect(fifth.statusCode).toBe(200);
  fifth.destroy();
  const endings = stalled.map(
    (response) =>
      new Promise((resolve) => {
        response
          .once('end', () => resolve('complete'))
          .once('error', () => resolve('cut off'))
          .resume();
      }),
  );
  expect(await Promise.race(endings)).toBe('cut off');
  for (const response of stalled) response.destroy();
  await strict.pool.end();
  await strict.seed.stop();
  await strict.service.stop();
});

/** Four calls can be in progress again, so none of the places was lost. */
async function expectAllPlacesFree(): Promise<void> {
  const calls = await whileLeadsAreLocked(patient, async () => {
    const own = times(4, () => person.api('GET', listOf(patient)));
    await untilInProgress(patient, 4);
    return own;
  });
  expect(await statusesOf(calls)).toEqual([200, 200, 200, 200]);
}

const cookieOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** The answer to a request whose sender ends its side right behind it. */
function halfClosed(path: string): Promise<string> {
  const { port } = new URL(patient.service.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    connect(Number(port), '127.0.0.1')
      .on('data', (chunk) => {
        answer += chunk;
      })
      .once('end', () => resolve(answer))
      .once('error', reject)
      .end(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookieOf(person)}\r\n\r\n`);
  });
}

/** The answer to an export, of which at most one chunk has been read. */
function pausedExport({ service, workspaceId }: World, reader: Browser): Promise<IncomingMessage> {
  const headers = { ...reader.ownHeaders, Cookie: cookieOf(reader) };
  const address = `${service.url}/api/v1/workspaces/${workspaceId}/leads/export?format=ndjson`;
  return new Promise((resolve, reject) => {
    httpGet(address, { headers }, (response) => {
      response.once('data', () => resolve(response.pause()));
    }).once('error', reject);
  });
}

/** Adds leads of a kilobyte each in one statement: more than the buffers of a connection hold. */
async function manyLeads({ seed, workspaceId }: World, count: number): Promise<void> {
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * interval '1 second',
       body, jsonb_build_object('n', n, 'text', repeat('x', 1000)), score, risk, grade, verdict, reasons, ruleset
     from (select * from leads where workspace_id = $1 limit 1) as one, generate_series(1, $2::int) as n`,
    [workspaceId, count],
  );
}
