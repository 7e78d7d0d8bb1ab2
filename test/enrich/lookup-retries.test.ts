import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { createSender } from '../support/sender.ts';
import { type Enrichment, isSettled, LookupWorld, outcomes } from './lookup-world.ts';

const world = new LookupWorld();
beforeAll(() => world.start());
beforeEach(() => world.reset());
afterAll(() => world.stop());

test('a provider that requests a retry does not hold up the others, and only it is asked again', async () => {
  const domain = world.newDomain();
  let isUp = false;
  world.internet.handler = (_, response) =>
    isUp
      ? response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back again</title>')
      : response.writeHead(503, { 'retry-after': '3600' }).end();
  const path = await world.lead({ email: `ada@${domain}` });
  const first = await world.enrichmentOf(path, isSettled);
  expect(first.status).toBe('partial');
  expect(outcomes(first)).toEqual({ mx: 'found', site: 'retry', external: 'skip' });
  expect(first.company.mail).toEqual({ spf: 'none', dmarc: 'missing' });

  const { rows } = await world.database.query(
    `select extract(epoch from run_at - now()) as wait from graphile_worker._private_jobs where run_at > now()`,
  );
  expect(rows).toHaveLength(1);
  expect(Number(rows[0].wait)).toBeGreaterThan(3_500);

  isUp = true;
  const asked = world.internet.names.asked.filter((name) => name === `_dmarc.${domain}`).length;
  world.clock.advance(3_600_001);
  await world.skipWaiting();
  const second = await world.enrichmentOf(path, ({ status }) => status === 'complete');
  expect(outcomes(second)).toEqual({ mx: 'found', site: 'found', external: 'skip' });
  expect(second.company.name).toBe('Back again');
  expect(second.providers).toContainEqual(expect.objectContaining({ id: 'site', attempts: 2 }));
  expect(world.internet.names.asked.filter((name) => name === `_dmarc.${domain}`).length).toBe(asked);
});

test('a lead is enriched, in one event, when no provider has yet to respond', async () => {
  const domain = world.newDomain();
  let isUp = false;
  world.internet.handler = (_, response) =>
    isUp
      ? response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>')
      : response.writeHead(503, { 'retry-after': '3600' }).end();
  const path = await world.lead({ email: `ada@${domain}` });
  const events = async () => {
    const { rows } = await world.database.query(
      'select type from lead_events where submission_id = $1 order by id',
      [path.split('/').at(-1)],
    );
    return rows.map(({ type }) => type);
  };
  await world.enrichmentOf(path, isSettled);
  expect(await events()).toEqual(['lead.accepted']);
  isUp = true;
  world.clock.advance(3_600_001);
  await world.skipWaiting();
  await world.enrichmentOf(path, ({ status }) => status === 'complete');
  await world.repeatJobs(path);
  const last = await eventually(events, (types) => types.includes('lead.enriched'));
  expect(last).toEqual(['lead.accepted', 'lead.enriched']);
});

test('a provider that never recovers is abandoned after several attempts, and the lead keeps the other results', async () => {
  const domain = world.newDomain();
  world.internet.handler = (_, response) => response.writeHead(500).end();
  const path = await world.lead({ email: `ada@${domain}` });
  const site = (found: Enrichment) => found.providers.find(({ id }: { id: string }) => id === 'site');
  for (let attempts = 1; attempts <= 6; attempts++) {
    const found = await world.enrichmentOf(path, (seen) => site(seen)?.attempts === attempts);
    expect(site(found)).toMatchObject({ attempts, outcome: attempts < 6 ? 'retry' : 'fail' });
    world.clock.advance(60_000);
    await world.skipWaiting();
  }
  const jobs = async () =>
    (await world.database.query('select 1 from graphile_worker._private_jobs')).rowCount;
  expect(await eventually(jobs, (count) => count === 0)).toBe(0);
  expect((await world.enrichmentOf(path, () => true)).status).toBe('partial');
});

test("a dead external provider does not delay another workspace's leads, and is left alone after a few failures", async () => {
  world.internet.addHost('api.dead-owner.com');
  const other = await createSender(world.service);
  world.internet.handler = (request, response) =>
    request.headers.host === 'api.dead-owner.com'
      ? response.writeHead(500).end()
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  await world.setProvider(world.sender, 'https://api.dead-owner.com/');
  const dead: string[] = [];
  for (let i = 0; i < 20; i++) dead.push(await world.lead({ email: `ada@${world.newDomain()}` }));
  const fine = await world.enrichmentOf(
    await world.lead({ email: `ada@${world.newDomain()}` }, other),
    isSettled,
  );
  expect(outcomes(fine)).toMatchObject({ site: 'found', external: 'skip' });
  for (const path of dead)
    expect(outcomes(await world.enrichmentOf(path, isSettled))).toMatchObject({
      site: 'found',
      external: 'retry',
    });
  // Four may be in progress at the fifth failure.
  expect(world.internet.requests.filter(({ host }) => host === 'api.dead-owner.com').length).toBeLessThan(10);
});

test('a job that runs twice changes nothing and asks nobody again', async () => {
  const domain = world.newDomain();
  const path = await world.lead({ email: `ada@${domain}` });
  const { enriched_at: _, ...first } = await world.enrichmentOf(path, isSettled);
  const asked = () => world.internet.names.asked.filter((name) => name.includes(domain)).length;
  const askedBefore = asked();
  await world.repeatJobs(path);
  await eventually(
    async () =>
      (await world.database.query('select 1 from graphile_worker._private_jobs where run_at <= now()'))
        .rowCount,
    (count) => count === 0,
  );
  const { enriched_at: __, ...second } = await world.enrichmentOf(path, isSettled);
  expect(second).toEqual(first);
  expect(asked()).toBe(askedBefore);
});

test('a lead enriched by an earlier version is enriched again when somebody opens it', async () => {
  const domain = world.newDomain();
  const path = await world.lead({ email: `ada@${domain}` });
  const first = await world.enrichmentOf(path, isSettled);
  const id = path.split('/').at(-1);
  await world.database.query(
    `update enrichment_results set version = 0, fields = '[]' where submission_id = $1`,
    [id],
  );
  await world.database.query(
    `update lead_enrichments set data = jsonb_set(data, '{providers}', (
       select jsonb_agg(jsonb_set(provider, '{version}', '0')) from jsonb_array_elements(data -> 'providers') provider
       where provider -> 'version' <> 'null')) - 'email' where submission_id = $1`,
    [id],
  );
  const again = await world.enrichmentOf(path, (found) => found.email !== undefined && isSettled(found));
  const versions = (found: Enrichment) =>
    found.providers.map(({ id, version }: { id: string; version: number }) => [id, version]);
  expect(versions(again)).toEqual(versions(first));
  expect(again.email).toEqual(first.email);
});
