import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NewNote, noteLead } from '../../src/db/relay/outbox.ts';
import { Nodes } from '../../src/relay/nodes.ts';
import { relayNotes, relayNotesOfNode } from '../../src/relay/turn.ts';
import { hourMs } from '../../src/time/clock.ts';
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

async function relay(): Promise<void> {
  const deps = { pool, clock, randomness: systemRandomness };
  const nodes = await new Nodes(pool, clock).all();
  if (nodes === null) await relayNotes(deps, 20);
  else for (const node of nodes) await relayNotesOfNode(deps, node, 20);
}

function note(type: NewNote['type'], data: NewNote['data']): Promise<void> {
  return noteLead(pool, workspaceId, null, { type, at: new Date(clock.now()), data: data ?? null });
}

interface Wanted {
  readonly events?: readonly string[];
  readonly formIds?: readonly string[] | null;
  readonly digestAt?: Date | null;
}

async function destination({ events = ['alarm.opened'], formIds = null, digestAt = null }: Wanted = {}) {
  const id = randomUUID();
  await pool.query(
    `insert into destinations (id, workspace_id, name, kind, status, form_ids, events, filter, mapping, config,
       secret_ciphertext, send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
     values ($1, $2, 'CRM', 'webhook', 'active', $3, $4, $5, '[]', '{}', '', 'enriched', 120, 50,
       now(), 'x', now(), 'x')`,
    // Conditions on leads do not apply to alarms.
    [
      id,
      workspaceId,
      formIds,
      events,
      JSON.stringify({ all: [{ field: 'verdict', op: 'eq', value: 'spam' }] }),
    ],
  );
  await pool.query(
    'insert into destination_leases (destination_id, wake_at, digest_at) values ($1, $2, $3)',
    [id, digestAt ?? 'infinity', digestAt],
  );
  return id;
}

async function deliveries(destinationId: string) {
  const { rows } = await pool.query(
    'select event_type, event_data, next_at from deliveries where destination_id = $1 order by event_id',
    [destinationId],
  );
  return rows;
}

test('an alarm is an event of the feed, and due immediately for every destination that wants it', async () => {
  const all = await destination();
  const opened = { alarm: { id: randomUUID(), form_id: formId, title: 'No leads' } };
  await note('alarm.opened', opened);
  await note('alarm.closed', opened);
  await relay();
  expect(await deliveries(all)).toEqual([
    { event_type: 'alarm.opened', event_data: opened, next_at: new Date(clock.now()) },
  ]);
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/events`);
  expect(json.items).toMatchObject([
    { type: 'alarm.opened', submission_id: null, data: opened },
    { type: 'alarm.closed', submission_id: null, data: opened },
  ]);
  await relay();
  expect(await deliveries(all)).toHaveLength(1);
});

test('a destination of some forms gets the alarms about them and about the workspace', async () => {
  const other = randomUUID();
  const ours = await destination({ formIds: [formId] });
  for (const form_id of [formId, other, null]) await note('alarm.opened', { alarm: { form_id } });
  await relay();
  expect((await deliveries(ours)).map(({ event_data }) => event_data.alarm.form_id)).toEqual([formId, null]);
});

test('a destination is not told of alarms about itself', async () => {
  const broken = await destination();
  const watcher = await destination();
  await note('alarm.opened', { alarm: { destination_id: broken } });
  await relay();
  expect([await deliveries(broken), await deliveries(watcher)]).toMatchObject([[], [{}]]);
});

test('of a digest each destination gets what is for it, and nothing if that is nothing', async () => {
  const events = ['alarm.digest'];
  const all = await destination({ events });
  const ours = await destination({ events, formIds: [formId] });
  const others = await destination({ events, formIds: [randomUUID()] });
  const alarms = [
    { id: 'a', form_id: formId },
    { id: 'b', form_id: randomUUID() },
    { id: 'c', form_id: formId, destination_id: ours },
  ];
  await note('alarm.digest', { alarms, more: 7 });
  await relay();
  const told = async (id: string) => (await deliveries(id)).map(({ event_data }) => event_data);
  expect(await told(all)).toEqual([{ alarms, more: 7 }]);
  expect(await told(ours)).toEqual([{ alarms: [alarms[0]], more: 0 }]);
  expect(await told(others)).toEqual([]);
});

test('an alarm wakes a destination that collects leads for a digest, and other events do not', async () => {
  const digestAt = new Date(clock.now() + hourMs);
  const id = await destination({ events: ['alarm.opened', 'destination.disabled'], digestAt });
  const wakeAt = async () => {
    const { rows } = await pool.query('select wake_at from destination_leases where destination_id = $1', [
      id,
    ]);
    return rows[0].wake_at;
  };
  await note('destination.disabled', { id: randomUUID() });
  await relay();
  expect(await wakeAt()).toEqual(digestAt);
  await note('alarm.opened', { alarm: {} });
  await relay();
  expect(await wakeAt()).toEqual(new Date(clock.now()));
});
