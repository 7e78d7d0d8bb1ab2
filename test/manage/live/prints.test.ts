import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyPart } from '../../../src/contract/live/names.ts';
import { readPrints, type WorkspacePrints } from '../../../src/db/live/workspace-prints.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { leadActions } from '../../../src/manage/live/changes.ts';
import { invite, join } from '../../support/browser/browser.ts';
import { openTestPool } from '../../support/database/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { addDelivery, createDestination, newDestination } from '../destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';

let service: TestService;
let seed: Seed;
let pool: pg.Pool;
let workspaceId: string;
let formId: string;
let oldLead: string;
let newestLead: string;

/** More leads than a print looks at one by one. */
beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  pool = openTestPool(service.databaseUrl);
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
  oldLead = await seed.lead(workspaceId, { form_id: formId, received_at: '2026-01-01T00:00:00Z' });
  await seed.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset)
     select n % 2 * $1, case when n % 2 = 1 then $2::uuid else md5((n % 100)::text)::uuid end, gen_random_uuid(), $3, 'server',
       '2026-11-01T00:00:00Z'::timestamptz + n * interval '1 second', 'body', '{}', 40, 0, 'B', 'clean', '[]', 'test'
     from generate_series(1, 40000) as n`,
    [shardOf(workspaceId), workspaceId, formId],
  );
  newestLead = await seed.lead(workspaceId, { form_id: formId });
  await seed.query('vacuum analyze');
});
afterAll(async () => {
  await pool.end();
  await seed.stop();
  await service.stop();
});

const read = () => readPrints(pool, workspaceId, { now: service.clock.now(), leadActions });

/** The parts whose prints an action changes. */
async function changedBy(action: () => Promise<unknown>): Promise<string[]> {
  const before = await read();
  await action();
  const after = await read();
  return everyPart.filter((part: keyof WorkspacePrints) => before[part] !== after[part]);
}

const inWorkspace = (method: string, path: string, body?: object) => async () => {
  const { status, text } = await service.api(method, `/workspaces/${workspaceId}${path}`, body);
  if (status >= 300) throw new Error(text);
};

test('prints stay the same while nothing happens', async () => {
  expect(await changedBy(async () => {})).toEqual([]);
});

test('new leads are seen, also those that are committed behind the newest', async () => {
  expect(await changedBy(() => seed.lead(workspaceId, { form_id: formId }))).toEqual(['leads']);
  const count = () =>
    seed.query(
      `insert into rate_windows values ($1, $2, 'server', now(), 1, now(), 1, 1, 1)
       on conflict (shard, workspace_id, surface) do update set day_count = rate_windows.day_count + 1`,
      [shardOf(workspaceId), workspaceId],
    );
  expect(await changedBy(count)).toEqual(['leads']);
  expect(await changedBy(count)).toEqual(['leads']);
});

test('marks and erasures are seen, of the newest leads and of old ones', async () => {
  const mark = (id: string, mark: string) => inWorkspace('PUT', `/leads/${id}/mark`, { mark });
  expect(await changedBy(mark(newestLead, 'spam'))).toEqual(['leads', 'audit']);
  expect(await changedBy(mark(oldLead, 'not_spam'))).toEqual(['leads', 'audit']);
  expect(await changedBy(inWorkspace('DELETE', `/leads/${oldLead}`))).toEqual(['leads', 'audit']);
});

test('that somebody read the bytes of a lead is for owners to know', async () => {
  expect(await changedBy(inWorkspace('GET', `/leads/${newestLead}/body`))).toEqual(['audit']);
});

test('an enrichment is seen', async () => {
  expect(await changedBy(() => seed.enrichment(workspaceId, newestLead, {}))).toEqual(['leads']);
});

test('a rejection changes diagnostics and nothing else', async () => {
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  expect(await changedBy(() => seed.count(workspaceId, minute, 'token_unknown', 1))).toEqual(['diagnostics']);
});

test('held requests are seen when they are kept, decided or proven later', async () => {
  const use = (isProven: boolean, rows: number) => () =>
    seed.query(
      `insert into held_usage values ($1, $2, $3, $4, $5, 500) on conflict (shard, workspace_id, form_id, is_proven)
       do update set rows = excluded.rows`,
      [shardOf(workspaceId), workspaceId, formId, isProven, rows],
    );
  expect(await changedBy(use(true, 1))).toEqual(['held']);
  expect(await changedBy(use(true, 0))).toEqual(['held']);
  await use(false, 1)();
  const prove = () =>
    seed.query('update held_usage set is_proven = not is_proven where workspace_id = $1 and form_id = $2', [
      workspaceId,
      formId,
    ]);
  await seed.query('delete from held_usage where workspace_id = $1 and is_proven', [workspaceId]);
  expect(await changedBy(prove)).toEqual(['held']);
});

test('a request that is admitted is seen as a lead, however old it is', async () => {
  const admit = () =>
    seed.query(
      `insert into lead_recoveries values ($1, $2, $3, $4, 'rate_limited_day', now(), 'ada@example.com', true)`,
      [shardOf(workspaceId), workspaceId, randomUUID(), randomUUID()],
    );
  expect(await changedBy(admit)).toEqual(['leads']);
  expect(await changedBy(admit)).toEqual(['leads']);
});

test('API keys and their use are seen', async () => {
  const key = { name: 'Zapier', scopes: ['leads:read'] };
  expect(await changedBy(inWorkspace('POST', '/api-keys', key))).toEqual(['keys', 'audit']);
  const use = () =>
    seed.query('update api_keys set last_used_at = now() where workspace_id = $1', [workspaceId]);
  expect(await changedBy(use)).toEqual(['keys']);
  const [{ id }] = await seed.query('select id from api_keys where workspace_id = $1', [workspaceId]);
  expect(await changedBy(inWorkspace('DELETE', `/api-keys/${id}`))).toEqual(['keys', 'audit']);
});

test('tokens, forms, the workspace, people, invitations and the provider are seen', async () => {
  const token = { name: 'Backend', form_id: formId };
  expect(await changedBy(inWorkspace('POST', '/tokens', token))).toEqual(['tokens', 'audit']);
  const use = () =>
    seed.query('update tokens set last_used_at = now() where workspace_id = $1', [workspaceId]);
  expect(await changedBy(use)).toEqual(['tokens']);
  expect(await changedBy(inWorkspace('PATCH', `/forms/${formId}`, { name: 'Quote' }))).toEqual([
    'forms',
    'audit',
  ]);
  expect(await changedBy(inWorkspace('PUT', `/forms/${formId}/webhook-secret`, {}))).toEqual([
    'forms',
    'audit',
  ]);
  expect(await changedBy(inWorkspace('PUT', `/forms/${formId}/scoring`, { settings: {} }))).toEqual([
    'forms',
    'audit',
  ]);
  expect(await changedBy(inWorkspace('PATCH', '', { name: 'Acme Ltd' }))).toEqual(['workspace', 'audit']);
  const invitation = () => invite(service, workspaceId, 'ada@example.com', 'owner');
  expect(await changedBy(invitation)).toEqual(['members', 'audit']);
  const joining = () => join(service, workspaceId, 'bob@example.com', 'member');
  expect(await changedBy(joining)).toEqual(['members', 'audit']);
  const provider = {
    url: 'https://provider.example.com/',
    send: 'domain',
    mapping: { 'company.name': 'name' },
  };
  const setting = inWorkspace('PUT', '/enrichment-provider', provider);
  expect(await changedBy(setting)).toEqual(['enrichment', 'audit']);
});

test('destinations, their health, their recipients and their deliveries are seen', async () => {
  const creating = inWorkspace('POST', '/destinations', newDestination);
  expect(await changedBy(creating)).toEqual(['destinations', 'audit']);
  const { id } = await createDestination(service, workspaceId);
  expect(await changedBy(inWorkspace('POST', `/destinations/${id}/pause`))).toEqual([
    'destinations',
    'audit',
  ]);
  const fail = () =>
    seed.query(`update destination_health set last_error = 'down' where destination_id = $1`, [id]);
  expect(await changedBy(fail)).toEqual(['destinations']);
  const add = () =>
    seed.query(
      `insert into destination_recipients (id, destination_id, address, added_at)
       values (gen_random_uuid(), $1, 'ada@example.com', now())`,
      [id],
    );
  expect(await changedBy(add)).toEqual(['destinations']);
  const confirm = () =>
    seed.query('update destination_recipients set confirmed_at = now() where destination_id = $1', [id]);
  expect(await changedBy(confirm)).toEqual(['destinations']);
  let delivery = '';
  const deliver = async () => {
    delivery = await addDelivery(seed, workspaceId, id);
  };
  expect(await changedBy(deliver)).toEqual(['deliveries']);
  const retry = () => seed.query('update deliveries set attempts = attempts + 1 where id = $1', [delivery]);
  expect(await changedBy(retry)).toEqual(['deliveries']);
});

test('another workspace changes nothing', async () => {
  const other = await createWorkspace(service);
  const form = (await createForm(service, other)).id;
  const changes = async () => {
    await seed.lead(other, { form_id: form });
    await service.api('POST', `/workspaces/${other}/tokens`, { name: 'Backend', form_id: form });
    await seed.count(other, new Date().toISOString(), 'token_unknown', 1);
    await join(service, other, `${randomUUID()}@example.com`, 'owner');
    await addDelivery(seed, other, (await createDestination(service, other)).id);
  };
  expect(await changedBy(changes)).toEqual([]);
});

test('of a large workspace only its newest leads are read, from an index', async () => {
  const plans: string[] = [];
  const query = async ({ text, values }: pg.QueryConfig) => {
    const { rows } = await pool.query(`explain ${text}`, values);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
    return pool.query(text, values);
  };
  await readPrints({ query } as never, workspaceId, { now: Date.now(), leadActions });
  const scans = plans.filter((line) => / on leads(?:_\d+)? /.test(line));
  expect(scans).toEqual([
    expect.stringMatching(/Index Only Scan using leads_newest(?:_\d+)? on leads(?:_\d+)? /),
  ]);
});
