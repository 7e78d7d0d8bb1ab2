import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../src/domain/workspace.ts';
import { lockWaiters } from '../support/database/lock-waiters.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, submissionIdOf } from '../support/sender.ts';
import { startTestService } from '../support/service.ts';
import { env, isSettled, LookupWorld, outcomes } from './lookup-world.ts';

const world = new LookupWorld();
beforeAll(() => world.start());
beforeEach(() => world.reset());
afterAll(() => world.stop());

const json = { 'content-type': 'application/json' };

test('a lead is enriched from DNS, the home page and the external provider', async () => {
  const domain = world.newDomain();
  world.internet.names.zones.set(domain, {
    ...world.internet.names.zones.get(domain),
    mx: [{ exchange: 'aspmx.l.google.com', priority: 1 }],
  });
  world.internet.addHost('api.owner-one.com');
  world.internet.handler = (request, response) =>
    request.headers.host === 'api.owner-one.com'
      ? response.writeHead(200, json).end('{"industry":"Tools"}')
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  await world.setProvider(world.sender, 'https://api.owner-one.com/companies');
  const found = await world.enrichmentOf(
    await world.lead({ email: `ada@${domain}`, company: 'My own words' }),
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

test('a lead from a free email provider is enriched immediately, without lookups', async () => {
  const found = await world.enrichmentOf(await world.lead({ email: 'ada@gmail.com' }), () => true);
  expect(found).toMatchObject({ status: 'builtin_only', email: { class: 'free' } });
  expect(found.providers).toContainEqual(
    expect.objectContaining({ id: 'site', outcome: 'skip', why: 'free_mail' }),
  );
  expect(world.internet.names.asked.filter((name) => name.includes('gmail.com'))).toEqual([]);
});

test('of a large lead too, what the script of a web page says about the visit is read', async () => {
  const _context = { page: 'https://shop.example/a', campaign: { gclid: 'x' } };
  const fields = { email: 'ada@gmail.com', rows: Array(9_000).fill(1), _context };
  const found = await world.enrichmentOf(await world.lead(fields), () => true);
  expect(found.attribution).toMatchObject({ click_id: { type: 'gclid', value: 'x' }, landing_path: '/a' });
});

test('a hundred leads from one company cost one request to its home page', async () => {
  const domain = world.newDomain();
  const paths = await Promise.all(
    Array.from({ length: 100 }, (_, i) => world.lead({ email: `person${i}@${domain}`, name: `Person ${i}` })),
  );
  for (const path of paths) expect(outcomes(await world.enrichmentOf(path, isSettled)).site).toBe('found');
  expect(world.internet.requests.filter(({ host }) => host === domain)).toHaveLength(1);
});

test('two instances share one lookup', async () => {
  const other = await startTestService({
    databaseUrl: world.service.databaseUrl,
    env,
    clock: world.clock,
    egress: world.internet,
  });
  const domain = world.newDomain();
  const paths = await Promise.all(
    Array.from({ length: 60 }, (_, i) => world.lead({ email: `person${i}@${domain}`, name: `Person ${i}` })),
  );
  for (const path of paths) expect(outcomes(await world.enrichmentOf(path, isSettled)).site).toBe('found');
  expect(world.internet.requests.filter(({ host }) => host === domain)).toHaveLength(1);
  await other.stop();
});

test("results of one workspace's provider are not shown to another", async () => {
  world.internet.addHost('api.owner-two.com');
  const other = await createSender(world.service);
  const domain = world.newDomain();
  let asked = 0;
  world.internet.handler = (request, response) =>
    request.headers.host === 'api.owner-two.com'
      ? response.writeHead(200, json).end(`{"industry":"Answer ${++asked}"}`)
      : response.writeHead(404).end();
  for (const [from, answer] of [
    [world.sender, 'Answer 1'],
    [other, 'Answer 2'],
    [world.sender, 'Answer 1'],
  ] as const) {
    if (asked < 2) await world.setProvider(from, 'https://api.owner-two.com/');
    const found = await world.enrichmentOf(await world.lead({ email: `ada@${domain}` }, from), isSettled);
    expect(found.company.industry).toBe(answer);
  }
  expect(asked).toBe(2);
  // After the settings change, earlier results no longer count.
  await world.setProvider(world.sender, 'https://api.owner-two.com/v2');
  const found = await world.enrichmentOf(await world.lead({ email: `ada@${domain}` }), isSettled);
  expect(found.company.industry).toBe('Answer 3');
});

test('two jobs that end at the same time both add to the lead', async () => {
  world.internet.addHost('api.owner-three.com');
  await world.setProvider(world.sender, 'https://api.owner-three.com/');
  const held: (() => void)[] = [];
  world.internet.handler = (request, response) => {
    const isOwners = request.headers.host === 'api.owner-three.com';
    const [type, body] = isOwners
      ? ['application/json', '{"industry":"Tools"}']
      : ['text/html', '<title>Acme</title>'];
    held.push(() => response.writeHead(200, { 'content-type': type }).end(body));
  };
  const path = await world.lead({ email: `ada@${world.newDomain()}` });
  await eventually(
    async () => held.length,
    (count) => count === 2,
  );
  await world.database.query('begin');
  await world.database.query(
    'select 1 from lead_enrichments where shard = $1 and submission_id = $2 for update',
    [shardOf(world.sender.workspaceId), path.split('/').at(-1)],
  );
  for (const release of held) release();
  const count = () => lockWaiters(world.service.databaseUrl);
  expect(await eventually(count, (jobs) => jobs === 2)).toBe(2);
  await world.database.query('commit');
  const found = await world.enrichmentOf(path, ({ status }) => status === 'complete');
  expect(outcomes(found)).toEqual({ mx: 'found', site: 'found', external: 'found' });
  expect(found.company).toMatchObject({ industry: 'Tools', name: 'Acme' });
});

test('a lookup whose results were stored without the jobs that follow adds them when it runs again', async () => {
  const path = await world.lead({ email: `ada@${world.newDomain()}` });
  await world.enrichmentOf(path, isSettled);
  // Its external provider has not been asked, as after a crash of the coordinator of a cluster.
  world.internet.addHost('api.owner-four.com');
  world.internet.handler = (_, response) => response.writeHead(200, json).end('{"industry":"Tools"}');
  await world.setProvider(world.sender, 'https://api.owner-four.com/');
  await world.repeatJobs(path, ['look_up']);
  const found = await world.enrichmentOf(path, (one) => outcomes(one).external === 'found');
  expect(found.company.industry).toBe('Tools');
});

test('an erased lead leaves no enrichment results behind', async () => {
  const path = await world.lead({ email: `ada@${world.newDomain()}` });
  await world.enrichmentOf(path, isSettled);
  const count = async () =>
    (
      await world.database.query(
        `select (select count(*) from lead_enrichments where submission_id = $1)
           + (select count(*) from enrichment_results where submission_id = $1) as count`,
        [path.split('/').at(-1)],
      )
    ).rows[0].count;
  expect(Number(await count())).toBe(3);
  expect((await world.service.api('DELETE', path)).status).toBe(204);
  expect(Number(await count())).toBe(0);
});

test('a lookup in progress when the service stops is done after the next start', async () => {
  const keeper = await startTestService({ env: { ROLE: 'manage' } });
  const { databaseUrl } = keeper;
  const stopped = await startTestService({ databaseUrl, env, egress: world.internet });
  const domain = world.newDomain();
  world.internet.handler = () => {};
  const own = await createSender(stopped);
  const id = submissionIdOf(await post(stopped, own, 'server', JSON.stringify({ email: `ada@${domain}` })));
  await eventually(
    async () => world.internet.requests.some(({ host }) => host === domain),
    (isAsked) => isAsked,
  );
  await stopped.stop();
  world.internet.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  const next = await startTestService({ databaseUrl, env, egress: world.internet });
  const found = await eventually(
    async () => (await next.api('GET', `/workspaces/${own.workspaceId}/leads/${id}`)).json.enrichment,
    ({ status }) => status === 'complete',
  );
  expect(found.providers).toContainEqual(
    expect.objectContaining({ id: 'site', outcome: 'found', attempts: 1 }),
  );
  await next.stop();
  await keeper.stop();
});
