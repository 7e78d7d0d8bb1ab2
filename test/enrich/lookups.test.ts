import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/clock.ts';
import { eventually } from '../support/diagnostics.ts';
import { TestInternet } from '../support/egress.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Each test waits for several rounds of jobs, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let internet: TestInternet;
let service: TestService;
let sender: Sender;
let database: pg.Client;
let domains = 0;
const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const env = { ENRICH_NETWORK: 'full' };

beforeAll(async () => {
  internet = await new TestInternet().start();
  service = await startTestService({ env, clock, egress: internet });
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
beforeEach(async () => {
  sender = await createSender(service);
  internet.requests.length = 0;
  // Retries that an earlier test has left.
  await database.query('delete from graphile_worker._private_jobs where run_at > now()');
  internet.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
});
afterAll(async () => {
  await database.end();
  await service.stop();
  await internet.stop();
});

/** A domain that no other test has asked about. */
function newDomain(): string {
  const domain = `acme-${++domains}.com`;
  internet.addHost(domain, `www.${domain}`);
  return domain;
}

async function lead(fields: object, from = sender): Promise<string> {
  const id = submissionIdOf(await post(service, from, 'server', JSON.stringify(fields)));
  return `/workspaces/${from.workspaceId}/leads/${id}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
type Enrichment = any;

async function enrichmentOf(path: string, isThere: (found: Enrichment) => boolean): Promise<Enrichment> {
  const ask = async () => (await service.api('GET', path)).json?.enrichment;
  return eventually(ask, (found) => found != null && isThere(found), 20_000);
}

const outcomes = (found: Enrichment) =>
  Object.fromEntries(
    found.providers
      .filter(({ phase }: { phase: string }) => phase !== 'builtin')
      .map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]),
  );
const isSettled = (found: Enrichment) => !Object.values(outcomes(found)).includes('pending');

/** Lets every planned retry run now. */
async function skipWaiting(): Promise<void> {
  await database.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
}

async function setProvider(from: Sender, url: string): Promise<void> {
  const body = { url, mapping: { 'company.industry': 'industry' }, signing_secret: 'secret of the test' };
  expect((await service.api('PUT', `/workspaces/${from.workspaceId}/enrichment-provider`, body)).status).toBe(
    200,
  );
}

const json = { 'content-type': 'application/json' };

test('a lead is enriched from the name servers, the home page and the provider of its owner', async () => {
  const domain = newDomain();
  internet.names.zones.set(domain, {
    ...internet.names.zones.get(domain),
    mx: [{ exchange: 'aspmx.l.google.com', priority: 1 }],
  });
  internet.addHost('api.owner-one.com');
  internet.handler = (request, response) =>
    request.headers.host === 'api.owner-one.com'
      ? response.writeHead(200, json).end('{"industry":"Tools"}')
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  await setProvider(sender, 'https://api.owner-one.com/companies');
  const found = await enrichmentOf(
    await lead({ email: `ada@${domain}`, company: 'My own words' }),
    ({ status }) => status === 'complete',
  );
  expect(outcomes(found)).toEqual({ mx: 'found', site: 'found', external: 'found' });
  expect(found.company).toMatchObject({
    name: 'My own words',
    industry: 'Tools',
    mail: { provider: 'Google Workspace' },
  });
  expect(found.provenance['company.name']).toMatchObject({ provider: 'typed', method: 'submitted' });
  expect(found.provenance['company.name'].alternatives).toContainEqual(
    expect.objectContaining({ value: 'Acme', provider: 'site', method: 'meta' }),
  );
  expect(found.provenance['company.industry']).toEqual({
    provider: 'external',
    method: 'external',
    confidence: 0.8,
    source: 'https://api.owner-one.com',
    observed_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('a lead from a mail service is enriched at once, and nobody is asked', async () => {
  const found = await enrichmentOf(await lead({ email: 'ada@gmail.com' }), () => true);
  expect(found).toMatchObject({ status: 'builtin_only', email: { class: 'free' } });
  expect(found.providers).toContainEqual(
    expect.objectContaining({ id: 'site', outcome: 'skip', why: 'free_mail' }),
  );
  expect(internet.names.asked.filter((name) => name.includes('gmail.com'))).toEqual([]);
});

test('a hundred leads from one company cost one look at its home page', async () => {
  const domain = newDomain();
  const paths = await Promise.all(
    Array.from({ length: 100 }, (_, i) => lead({ email: `person${i}@${domain}`, name: `Person ${i}` })),
  );
  for (const path of paths) expect(outcomes(await enrichmentOf(path, isSettled)).site).toBe('found');
  expect(internet.requests.filter(({ host }) => host === domain)).toHaveLength(1);
});

test('two instances ask one question once', async () => {
  const other = await startTestService({ databaseUrl: service.databaseUrl, env, clock, egress: internet });
  const domain = newDomain();
  const paths = await Promise.all(
    Array.from({ length: 60 }, (_, i) => lead({ email: `person${i}@${domain}`, name: `Person ${i}` })),
  );
  for (const path of paths) expect(outcomes(await enrichmentOf(path, isSettled)).site).toBe('found');
  expect(internet.requests.filter(({ host }) => host === domain)).toHaveLength(1);
  await other.stop();
});

test('a provider that asks for another try does not hold up the others, and only it is asked again', async () => {
  const domain = newDomain();
  let isUp = false;
  internet.handler = (_, response) =>
    isUp
      ? response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back again</title>')
      : response.writeHead(503, { 'retry-after': '3600' }).end();
  const path = await lead({ email: `ada@${domain}` });
  const first = await enrichmentOf(path, isSettled);
  expect(first.status).toBe('partial');
  expect(outcomes(first)).toEqual({ mx: 'found', site: 'retry', external: 'skip' });
  expect(first.company.mail).toEqual({ spf: 'none', dmarc: 'missing' });

  const { rows } = await database.query(
    `select extract(epoch from run_at - now()) as wait from graphile_worker._private_jobs where run_at > now()`,
  );
  expect(rows).toHaveLength(1);
  expect(Number(rows[0].wait)).toBeGreaterThan(3_500);

  isUp = true;
  const asked = internet.names.asked.filter((name) => name === `_dmarc.${domain}`).length;
  clock.advance(3_600_001);
  await skipWaiting();
  const second = await enrichmentOf(path, ({ status }) => status === 'complete');
  expect(outcomes(second)).toEqual({ mx: 'found', site: 'found', external: 'skip' });
  expect(second.company.name).toBe('Back again');
  expect(second.providers).toContainEqual(expect.objectContaining({ id: 'site', attempts: 2 }));
  expect(internet.names.asked.filter((name) => name === `_dmarc.${domain}`).length).toBe(asked);
});

test('a provider that never recovers is given up after a number of tries, and the lead keeps the rest', async () => {
  const domain = newDomain();
  internet.handler = (_, response) => response.writeHead(500).end();
  const path = await lead({ email: `ada@${domain}` });
  const site = (found: Enrichment) => found.providers.find(({ id }: { id: string }) => id === 'site');
  for (let attempts = 1; attempts <= 6; attempts++) {
    const found = await enrichmentOf(path, (seen) => site(seen)?.attempts === attempts);
    expect(site(found)).toMatchObject({ attempts, outcome: attempts < 6 ? 'retry' : 'fail' });
    clock.advance(60_000);
    await skipWaiting();
  }
  const jobs = async () => (await database.query('select 1 from graphile_worker._private_jobs')).rowCount;
  expect(await eventually(jobs, (count) => count === 0)).toBe(0);
  expect((await enrichmentOf(path, () => true)).status).toBe('partial');
});

test("a dead provider of one owner does not delay another's leads, and is left alone after a few failures", async () => {
  internet.addHost('api.dead-owner.com');
  const other = await createSender(service);
  internet.handler = (request, response) =>
    request.headers.host === 'api.dead-owner.com'
      ? response.writeHead(500).end()
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  await setProvider(sender, 'https://api.dead-owner.com/');
  const dead: string[] = [];
  for (let i = 0; i < 20; i++) dead.push(await lead({ email: `ada@${newDomain()}` }));
  const fine = await enrichmentOf(await lead({ email: `ada@${newDomain()}` }, other), isSettled);
  expect(outcomes(fine)).toMatchObject({ site: 'found', external: 'skip' });
  for (const path of dead)
    expect(outcomes(await enrichmentOf(path, isSettled))).toMatchObject({ site: 'found', external: 'retry' });
  // Four may be under way when the fifth failure comes.
  expect(internet.requests.filter(({ host }) => host === 'api.dead-owner.com').length).toBeLessThan(10);
});

test("what one owner's provider said is not told to another", async () => {
  internet.addHost('api.owner-two.com');
  const other = await createSender(service);
  const domain = newDomain();
  let asked = 0;
  internet.handler = (request, response) =>
    request.headers.host === 'api.owner-two.com'
      ? response.writeHead(200, json).end(`{"industry":"Answer ${++asked}"}`)
      : response.writeHead(404).end();
  for (const [from, answer] of [
    [sender, 'Answer 1'],
    [other, 'Answer 2'],
    [sender, 'Answer 1'],
  ] as const) {
    if (asked < 2) await setProvider(from, 'https://api.owner-two.com/');
    const found = await enrichmentOf(await lead({ email: `ada@${domain}` }, from), isSettled);
    expect(found.company.industry).toBe(answer);
  }
  expect(asked).toBe(2);
  // After a change of settings nothing said before it counts.
  await setProvider(sender, 'https://api.owner-two.com/v2');
  const found = await enrichmentOf(await lead({ email: `ada@${domain}` }), isSettled);
  expect(found.company.industry).toBe('Answer 3');
});

test('a job that runs twice changes nothing and asks nobody again', async () => {
  const domain = newDomain();
  const path = await lead({ email: `ada@${domain}` });
  const { enriched_at: _, ...first } = await enrichmentOf(path, isSettled);
  const asked = () => internet.names.asked.filter((name) => name.includes(domain)).length;
  const askedBefore = asked();
  await database.query(
    `select graphile_worker.add_job(task, json_build_object('providers', json_build_array('mx', 'site'), 'leads',
       json_build_array(json_build_array(shard, workspace_id, submission_id))))
     from leads, (values ('enrich'), ('look_up')) as tasks (task) where submission_id = $1`,
    [path.split('/').at(-1)],
  );
  await eventually(
    async () =>
      (await database.query('select 1 from graphile_worker._private_jobs where run_at <= now()')).rowCount,
    (count) => count === 0,
  );
  const { enriched_at: __, ...second } = await enrichmentOf(path, isSettled);
  expect(second).toEqual(first);
  expect(asked()).toBe(askedBefore);
});

test('an erased lead leaves nothing of what was said about it', async () => {
  const path = await lead({ email: `ada@${newDomain()}` });
  await enrichmentOf(path, isSettled);
  const count = async () =>
    (
      await database.query(
        `select (select count(*) from lead_enrichments where submission_id = $1)
           + (select count(*) from enrichment_results where submission_id = $1) as count`,
        [path.split('/').at(-1)],
      )
    ).rows[0].count;
  expect(Number(await count())).toBe(3);
  expect((await service.api('DELETE', path)).status).toBe(204);
  expect(Number(await count())).toBe(0);
});

test('a lookup that is under way when the service stops is done by the next one', async () => {
  const keeper = await startTestService({ env: { ROLE: 'manage' } });
  const { databaseUrl } = keeper;
  const stopped = await startTestService({ databaseUrl, env, egress: internet });
  const domain = newDomain();
  internet.handler = () => {};
  const own = await createSender(stopped);
  const id = submissionIdOf(await post(stopped, own, 'server', JSON.stringify({ email: `ada@${domain}` })));
  await eventually(
    async () => internet.requests.some(({ host }) => host === domain),
    (isAsked) => isAsked,
  );
  await stopped.stop();
  internet.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  const next = await startTestService({ databaseUrl, env, egress: internet });
  const found = await eventually(
    async () => (await next.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`)).json.enrichment,
    ({ status }) => status === 'complete',
    20_000,
  );
  expect(found.providers).toContainEqual(
    expect.objectContaining({ id: 'site', outcome: 'found', attempts: 1 }),
  );
  await next.stop();
  await keeper.stop();
});
