import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { budgetDay, deleteOldBudgets, spendQuestion } from '../../src/db/enrichment/enrichment-budgets.ts';
import { openTestPool } from '../support/database/database.ts';
import { createSender } from '../support/sender.ts';
import { startTestService } from '../support/service.ts';
import { type Enrichment, env, isSettled, LookupWorld, outcomes } from './lookup-world.ts';

// Each test waits for several rounds of jobs, which are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const world = new LookupWorld();
const host = 'api.budget-owner.com';
let asked = 0;

beforeAll(() => world.start());
beforeEach(async () => {
  await world.reset();
  asked = 0;
  world.internet.addHost(host);
  world.internet.handler = (request, response) => {
    if (request.headers.host !== host) return response.writeHead(404).end();
    asked++;
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{"industry":"Tools"}');
  };
});
afterAll(() => world.stop());

const at = (workspaceId = world.sender.workspaceId) => `/workspaces/${workspaceId}/enrichment-provider`;
const external = (found: Enrichment) => found.providers.find(({ id }: { id: string }) => id === 'external');
const provider = {
  url: `https://${host}/`,
  mapping: { 'company.industry': 'industry' },
  signing_secret: 'secret of the test',
};

async function limit(daily_limit: number, workspaceId = world.sender.workspaceId): Promise<void> {
  const { signing_secret: _, ...rest } = provider;
  const known = (await world.service.api('GET', at(workspaceId))).status === 200;
  const body = { ...(known ? rest : provider), daily_limit };
  expect((await world.service.api('PUT', at(workspaceId), body)).status).toBe(200);
}

const enriched = async (email = `ada@${world.newDomain()}`, from = world.sender) =>
  world.enrichmentOf(await world.lead({ email, name: 'Ada Lovelace' }, from), isSettled);

test('when the daily limit is reached, the provider is skipped and the lead is still enriched', async () => {
  await limit(1);
  expect(outcomes(await enriched()).external).toBe('found');
  const second = await enriched();
  expect(external(second)).toMatchObject({ outcome: 'skip', why: 'budget' });
  expect(second).toMatchObject({ status: 'complete', person: { first_name: 'Ada' } });
  expect(asked).toBe(1);
});

test('the settings show the requests of today and the limit', async () => {
  await limit(5);
  await enriched();
  await enriched();
  const { json } = await world.service.api('GET', at());
  const resets_at = '2026-11-16T00:00:00.000Z';
  expect(json).toMatchObject({ daily_limit: 5, used_today: 2, resets_at });
  const settings = await world.service.api('GET', `/workspaces/${world.sender.workspaceId}/enrichment`);
  expect(settings.json).toEqual({ network: 'full', provider: json });
});

test('a cached result costs nothing', async () => {
  await limit(1);
  const domain = world.newDomain();
  await enriched(`ada@${domain}`);
  const again = await enriched(`grace@${domain}`);
  expect(external(again)).toMatchObject({ outcome: 'found', cached: true });
  expect((await world.service.api('GET', at())).json.used_today).toBe(1);
});

test('a higher limit applies immediately and keeps both the count and the results', async () => {
  await limit(1);
  const domain = world.newDomain();
  await enriched(`ada@${domain}`);
  expect(external(await enriched())).toMatchObject({ why: 'budget' });
  await limit(2);
  expect(external(await enriched(`grace@${domain}`))).toMatchObject({ cached: true });
  expect(outcomes(await enriched()).external).toBe('found');
  expect(external(await enriched())).toMatchObject({ why: 'budget' });
  expect(asked).toBe(2);
});

test('each workspace has its own budget', async () => {
  const other = await createSender(world.service);
  await limit(1);
  await limit(1, other.workspaceId);
  await enriched();
  expect(outcomes(await enriched(undefined, other)).external).toBe('found');
});

test('a limit of zero means no requests', async () => {
  await limit(0);
  expect(external(await enriched())).toMatchObject({ outcome: 'skip', why: 'budget' });
  expect(asked).toBe(0);
});

test('the budget is exact across several instances that ask at the same time', async () => {
  const other = await startTestService({
    databaseUrl: world.service.databaseUrl,
    env,
    clock: world.clock,
    egress: world.internet,
  });
  await limit(5);
  const paths = await Promise.all(
    Array.from({ length: 14 }, () => world.lead({ email: `ada@${world.newDomain()}` })),
  );
  const found: Enrichment[] = [];
  for (const path of paths) found.push(await world.enrichmentOf(path, isSettled));
  await other.stop();
  const counts = Map.groupBy(found, (one) => outcomes(one).external);
  expect([counts.get('found')?.length, counts.get('skip')?.length]).toEqual([5, 9]);
  expect(asked).toBe(5);
});

test('a hundred simultaneous lookups use exactly the requests that are left', async () => {
  await limit(40);
  const pool = openTestPool(world.service.databaseUrl);
  const { workspaceId } = world.sender;
  const day = budgetDay(world.clock.now());
  const granted = await Promise.all(Array.from({ length: 100 }, () => spendQuestion(pool, workspaceId, day)));
  expect(granted.filter(Boolean)).toHaveLength(40);
  await pool.end();
});

test('counts of past days are deleted, those of today are not', async () => {
  await limit(3);
  const pool = openTestPool(world.service.databaseUrl);
  const { workspaceId } = world.sender;
  await spendQuestion(pool, workspaceId, '2026-10-01');
  await spendQuestion(pool, workspaceId, '2026-11-15');
  await deleteOldBudgets(pool, '2026-10-16');
  const { rows } = await pool.query('select day::text from enrichment_budgets where workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toEqual([{ day: '2026-11-15' }]);
  await pool.end();
});

// Must be the last test: it moves the clock to another day.
test('the budget resets at midnight UTC', async () => {
  await limit(1);
  await enriched();
  expect(external(await enriched())).toMatchObject({ why: 'budget' });
  world.clock.advance(Date.parse('2026-11-15T23:59:59.999Z') - world.clock.now());
  expect(external(await enriched())).toMatchObject({ why: 'budget' });
  world.clock.advance(1);
  expect(outcomes(await enriched()).external).toBe('found');
  expect((await world.service.api('GET', at())).json).toMatchObject({
    used_today: 1,
    resets_at: '2026-11-17T00:00:00.000Z',
  });
});
