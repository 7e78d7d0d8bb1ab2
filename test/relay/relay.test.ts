import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NewNote, noteLead } from '../../src/db/relay/outbox.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { Nodes } from '../../src/relay/nodes.ts';
import { relayNotes, relayNotesOfNode } from '../../src/relay/turn.ts';
import type { Clock } from '../../src/time/clock.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { openTestPool } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let seed: Seed;
let pool: pg.Pool;
let workspaceId: string;
let formId: string;
const clock = new SimulatedClock(Date.parse('2026-11-15T08:00:00Z'));

beforeAll(async () => {
  // No relay runs but that of the test.
  service = await startTestService({ env: { ROLE: 'manage' } });
  seed = new Seed(service);
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
});
afterAll(async () => {
  await pool.end();
  await seed.stop();
  await service.stop();
});

/** One turn; on a cluster one of each node. */
async function relay(randomness = systemRandomness, time: Clock = clock): Promise<boolean> {
  const deps = { pool, clock: time, randomness };
  const nodes = await new Nodes(pool, clock).all();
  if (nodes === null) return relayNotes(deps, 20);
  const turns = await Promise.all(nodes.map((node) => relayNotesOfNode(deps, node, 20)));
  return turns.some(Boolean);
}

function note(submissionId: string | null, note: NewNote): Promise<void> {
  return noteLead(pool, workspaceId, submissionId, note);
}

async function accepted(values: Record<string, unknown> = {}): Promise<string> {
  const id = await seed.lead(workspaceId, { form_id: formId, ...values });
  await note(id, { type: 'lead.accepted' });
  return id;
}

interface Wanted {
  readonly events?: readonly string[];
  readonly filter?: object;
  readonly formIds?: readonly string[] | null;
  readonly sendWhen?: string;
  readonly status?: string;
  readonly reason?: string | null;
}

async function destination(wanted: Wanted = {}): Promise<string> {
  const id = randomUUID();
  const { events = ['lead.accepted'], filter = { all: [] }, formIds = null } = wanted;
  await pool.query(
    `insert into destinations (id, workspace_id, name, kind, status, disabled_reason, form_ids, events, filter, mapping,
       config, secret_ciphertext, send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
     values ($1, $2, 'CRM', 'webhook', $3, $4, $5, $6, $7, '[]', '{}', '', $8, 120, 50, now(), 'x', now(), 'x')`,
    [
      id,
      workspaceId,
      wanted.status ?? 'active',
      wanted.reason ?? null,
      formIds,
      events,
      JSON.stringify(filter),
      wanted.sendWhen ?? 'accepted',
    ],
  );
  await pool.query('insert into destination_leases (destination_id) values ($1)', [id]);
  return id;
}

async function events(): Promise<[string, string | null][]> {
  const { rows } = await pool.query(
    'select type, submission_id from lead_events where workspace_id = $1 order by id',
    [workspaceId],
  );
  return rows.map(({ type, submission_id }) => [type, submission_id]);
}

async function deliveries(destinationId: string) {
  const { rows } = await pool.query(
    'select submission_id, event_type, next_at, state from deliveries where destination_id = $1 order by event_id',
    [destinationId],
  );
  return rows;
}

async function sentTo(destinationId: string): Promise<string[]> {
  return (await deliveries(destinationId)).map(({ submission_id }) => submission_id);
}

async function wakeAt(destinationId: string): Promise<Date | number> {
  const { rows } = await pool.query('select wake_at from destination_leases where destination_id = $1', [
    destinationId,
  ]);
  return rows[0].wake_at;
}

async function jobsFor(submissionId: string): Promise<number> {
  const { rows } = await pool.query('select from graphile_worker._private_jobs where payload::text like $1', [
    `%${submissionId}%`,
  ]);
  return rows.length;
}

test('each accepted lead becomes one event, whatever its verdict, and a job if it is clean', async () => {
  const clean = await accepted();
  const spam = await accepted({ verdict: 'spam', received_at: '2026-11-15T08:00:01Z' });
  expect(await relay()).toBe(true);
  expect(await relay()).toBe(false);
  expect(await events()).toEqual([
    ['lead.accepted', clean],
    ['lead.accepted', spam],
  ]);
  expect([await jobsFor(clean), await jobsFor(spam)]).toEqual([1, 0]);
});

test('the time of an event is that of the lead, however late it is relayed', async () => {
  await accepted({ received_at: '2026-10-01T00:00:00Z' });
  await relay();
  const { rows } = await pool.query('select at from lead_events where workspace_id = $1', [workspaceId]);
  expect(rows).toEqual([{ at: new Date('2026-10-01T00:00:00Z') }]);
});

test('a lead is accepted before anything else happens to it, in whatever order it was noted', async () => {
  const id = await seed.lead(workspaceId, { form_id: formId });
  await note(id, { type: 'lead.marked', at: new Date(0), data: { mark: 'spam' } });
  await note(id, { type: 'lead.accepted' });
  await relay();
  expect(await events()).toEqual([
    ['lead.accepted', id],
    ['lead.marked', id],
  ]);
});

test('of a lead that was erased before the relay, only the erasure is told', async () => {
  const id = await accepted();
  await service.api('DELETE', `/workspaces/${workspaceId}/leads/${id}`);
  await relay();
  expect(await events()).toEqual([['lead.erased', id]]);
});

test('two relays at the same time make each event and delivery once', async () => {
  const crm = await destination();
  const ids = [];
  for (let i = 0; i < 30; i++) ids.push(await accepted());
  while ((await Promise.all([relay(), relay(), relay()])).some(Boolean));
  expect((await events()).map(([, id]) => id).toSorted()).toEqual(ids.toSorted());
  expect((await sentTo(crm)).toSorted()).toEqual(ids.toSorted());
});

test('each of very many leads becomes an event and a delivery', async () => {
  const crm = await destination();
  await pool.query(
    `with stored as (
       insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
         verdict, reasons, ruleset)
       select $1, $2, gen_random_uuid(), $3, 'server', now(), 'body', '{}', 40, 0, 'B', 'clean', '[]', 'test'
       from generate_series(1, 1100) returning shard, workspace_id, submission_id
     )
     insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids)
     select $1, array_agg(shard), array_agg(workspace_id), array_agg(submission_id) from stored`,
    [shardOf(workspaceId), workspaceId, formId],
  );
  while (await relay());
  expect(await events()).toHaveLength(1_100);
  expect(new Set(await sentTo(crm)).size).toBe(1_100);
});

test('a destination gets the events of its forms that match its filter, and only of its own workspace', async () => {
  const other = await destination();
  workspaceId = await createWorkspace(service);
  const [mine, notMine] = [randomUUID(), randomUUID()];
  const all = await destination();
  const clean = await destination({ filter: { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] } });
  const ofForm = await destination({ formIds: [mine] });
  const german = await destination({ filter: { any: [{ field: 'field.country', op: 'eq', value: 'DE' }] } });
  const marks = await destination({ events: ['lead.marked'] });
  const a = await accepted({ form_id: mine, fields: { country: 'DE' } });
  const b = await accepted({ form_id: notMine, verdict: 'spam' });
  await relay();
  expect(await sentTo(all)).toEqual([a, b]);
  expect(await sentTo(clean)).toEqual([a]);
  expect(await sentTo(ofForm)).toEqual([a]);
  expect(await sentTo(german)).toEqual([a]);
  expect(await sentTo(marks)).toEqual([]);
  expect(await sentTo(other)).toEqual([]);
});

test('a paused or failing destination collects deliveries, and one whose receiver wants no more does not', async () => {
  const paused = await destination({ status: 'paused' });
  const failing = await destination({ status: 'disabled', reason: 'failing' });
  const gone = await destination({ status: 'disabled', reason: 'gone' });
  const id = await accepted();
  await relay();
  expect([await sentTo(paused), await sentTo(failing), await sentTo(gone)]).toEqual([[id], [id], []]);
});

test('a destination that waits for enrichment is woken when it is complete, and after its longest wait at the latest', async () => {
  const crm = await destination({ sendWhen: 'enriched' });
  const id = await accepted();
  await relay();
  const latest = new Date(clock.now() + 120_000);
  expect(await deliveries(crm)).toMatchObject([{ next_at: latest }]);
  expect(await wakeAt(crm)).toEqual(latest);
  await clock.advance(3_000);
  await note(id, { type: 'lead.enriched', at: new Date(clock.now()) });
  await relay();
  const now = new Date(clock.now());
  expect(await deliveries(crm)).toMatchObject([{ next_at: now }]);
  expect(await wakeAt(crm)).toEqual(now);
});

test('a lead that is not clean, or is enriched already, is not waited for', async () => {
  const crm = await destination({ sendWhen: 'enriched', events: ['lead.accepted', 'lead.released'] });
  await accepted({ verdict: 'suspect' });
  const enriched = await seed.lead(workspaceId, { form_id: formId });
  await seed.enrichment(workspaceId, enriched, { providers: [{ id: 'mx', outcome: 'found' }] });
  await note(enriched, { type: 'lead.released', at: new Date(clock.now()) });
  await relay();
  const now = new Date(clock.now());
  expect(await deliveries(crm)).toMatchObject([{ next_at: now }, { next_at: now }]);
});

test('a condition on the enrichment is left open until the lead is enriched', async () => {
  const filter = { all: [{ field: 'enrichment.company.country', op: 'eq', value: 'DE' }] };
  const crm = await destination({ sendWhen: 'enriched', filter });
  const id = await accepted();
  await relay();
  expect(await sentTo(crm)).toEqual([id]);
});

test('the relay lets other work go first while filters take long', async () => {
  const slow = { all: [{ field: 'field.company', op: 'contains', value: 'x' }] };
  for (let i = 0; i < 3; i++) await destination({ filter: i === 0 ? { all: [] } : slow });
  await accepted();
  let elapsedMs = 0;
  let turns = 0;
  const turn = async () => void turns++;
  const busy = { now: () => clock.now(), monotonic: () => (elapsedMs += 2), turn } as unknown as Clock;
  while (await relay(systemRandomness, busy));
  expect(turns).toBe(3);
});

test('an erasure cancels what waits, and deletes what receivers responded', async () => {
  const crm = await destination();
  const id = await accepted();
  await relay();
  await pool.query(
    `insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms, response_head)
     select shard, workspace_id, id, 1, now(), 1, 'private' from deliveries where destination_id = $1`,
    [crm],
  );
  await service.api('DELETE', `/workspaces/${workspaceId}/leads/${id}`);
  expect(await deliveries(crm)).toMatchObject([{ state: 'cancelled' }]);
  const { rows } = await pool.query('select from delivery_attempts where workspace_id = $1', [workspaceId]);
  expect(rows).toEqual([]);
});

test('a destination is told that another was disabled, and never that it was itself', async () => {
  const watcher = await destination({ events: ['destination.disabled'] });
  const broken = await destination({ events: ['destination.disabled'] });
  await note(null, {
    type: 'destination.disabled',
    at: new Date(clock.now()),
    data: { id: broken },
  });
  await relay();
  expect(await events()).toEqual([['destination.disabled', null]]);
  expect([await sentTo(watcher), await sentTo(broken)]).toEqual([[null], []]);
});

test('a relay that fails half-way leaves its notes, and nothing else', async () => {
  await destination();
  const id = await accepted();
  const broken = { uuid: () => 'not an id', fraction: () => 0, hex: () => '' };
  await expect(relay(broken)).rejects.toThrow();
  expect(await events()).toEqual([]);
  await relay();
  expect(await events()).toEqual([['lead.accepted', id]]);
  // On a cluster the job is committed first, and may be repeated.
  expect(await jobsFor(id)).toBeGreaterThan(0);
});
