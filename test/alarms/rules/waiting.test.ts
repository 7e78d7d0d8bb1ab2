import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { destinationsRule } from '../../../src/alarms/rules/destinations.ts';
import { heldWaitingRule } from '../../../src/alarms/rules/held-waiting.ts';
import { spoolWaitingRule } from '../../../src/alarms/rules/spool-waiting.ts';
import { unattributedSurgeRule } from '../../../src/alarms/rules/unattributed-surge.ts';
import { deleteOldSpools, noteSpool } from '../../../src/db/alarms/instance-spools.ts';
import { applyFlush } from '../../../src/db/diagnostics/outcomes.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { RulesWorld, type Source } from './rules-world.ts';

let world: RulesWorld;
const hour = 60;
const day = 24 * hour;

beforeAll(async () => {
  world = await RulesWorld.create();
});
afterAll(() => world.end());
beforeEach(() => world.reset());

describe('held submissions', () => {
  async function hold(
    { workspaceId, formId }: Source,
    expiresAt: Date,
    kind: 'A' | 'B' | 'C' | 'D',
  ): Promise<string> {
    const id = randomUUID();
    await world.pool.query(
      `insert into held_submissions (shard, workspace_id, id, form_id, surface, reason, class, received_at, request_id, body_bytes, body_hash, expires_at)
       values ($1, $2, $3, $4, 'webhook', 'form_inactive', $5, $6, '', 1, '', $7)`,
      [shardOf(workspaceId), workspaceId, id, formId, kind, world.ago(day), expiresAt],
    );
    return id;
  }

  test('are told three days before they are deleted, without those that nobody can admit', async () => {
    const source = await world.createForm();
    const first = world.ago(-3 * day);
    for (const kind of ['C', 'D'] as const) await hold(source, world.ago(-day), kind);
    await hold(source, world.ago(-3 * day - 1), 'A');
    await world.judge(heldWaitingRule());
    expect(world.told).toEqual([]);
    for (const kind of ['A', 'B'] as const) await hold(source, first, kind);
    await world.judge(heldWaitingRule());
    expect(world.told).toEqual(['held_waiting medium']);
    expect(world.open[0]).toMatchObject({
      ...{ workspaceId: source.workspaceId, formId: null },
      evidence: { count: 2, first_expires_at: first.toISOString() },
    });
    await world.pool.query(`update held_submissions set state = 'admitted' where workspace_id = $1`, [
      source.workspaceId,
    ]);
    await world.judge(heldWaitingRule());
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('that were deleted are no good news', async () => {
    const source = await world.createForm();
    await hold(source, world.ago(-hour), 'A');
    await world.judge(heldWaitingRule());
    world.pass(hour);
    await world.judge(heldWaitingRule());
    expect(world.closed).toMatchObject([{ closedAs: 'removed' }]);
  });
});

describe('destinations', () => {
  async function createDestination(): Promise<{ id: string; source: Source }> {
    const source = await world.createForm();
    const id = randomUUID();
    await world.pool.query(
      `insert into destinations (id, workspace_id, name, kind, status, events, filter, mapping, config, secret_ciphertext,
         send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
       values ($1, $2, 'CRM', 'webhook', 'active', '{}', '{}', '{}', '{}', '', 'accepted', 0, 1, now(), '', now(), '')`,
      [id, source.workspaceId],
    );
    await world.pool.query('insert into destination_health (destination_id) values ($1)', [id]);
    return { id, source };
  }

  const fail = (id: string, since: Date | null) =>
    world.pool.query(
      `update destination_health set failing_since = $2, last_error = 'HTTP 500' where destination_id = $1`,
      [...[id, since]],
    );
  const disable = (id: string, status: string, reason: string | null) =>
    world.pool.query('update destinations set status = $2, disabled_reason = $3 where id = $1', [
      id,
      status,
      reason,
    ]);

  async function wait({ workspaceId }: Source, id: string, count: number) {
    await world.pool.query(
      `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, state, next_at, created_at)
       select $1, $2, gen_random_uuid(), $3, n, 'lead.accepted', now(), 'pending', now(), now() from generate_series(1, $4::int) n`,
      [shardOf(workspaceId), workspaceId, id, count],
    );
  }

  test('that have been failing for an hour are told, and recover', async () => {
    const { id, source } = await createDestination();
    await wait(source, id, 3);
    await fail(id, world.ago(59));
    await world.judge(destinationsRule());
    expect(world.told).toEqual([]);
    world.pass(1);
    await world.judge(destinationsRule());
    expect(world.told).toEqual(['delivery_failing medium']);
    expect(world.open[0]).toMatchObject({
      destinationId: id,
      evidence: { waiting: 3, last_error: 'HTTP 500', failing_since: world.ago(60).toISOString() },
    });
    await fail(id, null);
    await world.judge(destinationsRule());
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('count no more than a thousand waiting deliveries', async () => {
    const { id, source } = await createDestination();
    await wait(source, id, 1_200);
    await fail(id, world.ago(90));
    await world.judge(destinationsRule());
    expect(world.open[0]?.evidence).toMatchObject({ waiting: 1_000, is_waiting_exact: false });
  });

  test('that the service disables are told in place of the failure, until they are resumed', async () => {
    const { id } = await createDestination();
    await fail(id, world.ago(5 * day));
    await world.judge(destinationsRule());
    await disable(id, 'disabled', 'failing');
    await world.judge(destinationsRule());
    expect(world.told).toEqual(['destination_disabled high']);
    expect(world.open[0]?.evidence).toMatchObject({ disabled_reason: 'failing' });
    expect(world.closed).toMatchObject([{ kind: 'delivery_failing', closedAs: 'superseded' }]);
    await fail(id, null);
    await disable(id, 'active', null);
    await world.judge(destinationsRule());
    expect(world.told).toEqual([]);
    expect(world.closed[1]).toMatchObject({ kind: 'destination_disabled', closedAs: 'recovered' });
  });

  test('that are paused or deleted are no longer told', async () => {
    const [paused, deleted] = [await createDestination(), await createDestination()];
    for (const { id } of [paused, deleted]) await fail(id, world.ago(90));
    await world.judge(destinationsRule());
    expect(world.told).toHaveLength(2);
    await disable(paused.id, 'paused', null);
    await world.pool.query('delete from destinations where id = $1', [deleted.id]);
    await world.judge(destinationsRule());
    expect(world.closed.map(({ closedAs }) => closedAs)).toEqual(['removed', 'removed']);
  });
});

describe('requests that belong to no workspace', () => {
  const rule = unattributedSurgeRule();
  let flushes = 0;

  async function send(count: number, reason = 'token_unknown', at = world.now): Promise<void> {
    const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000).toISOString();
    const nothing = {
      counts: [],
      entries: [],
      unattributedRequests: [],
      notes: [],
      tokensUsed: [],
      formUses: [],
      formerSecretUses: [],
      clockDrifts: [],
      handlingTimes: [],
    };
    const unattributed = [{ minute, surface: 'server' as const, reason, count, lastAt: at.toISOString() }];
    await applyFlush(world.pool, instanceId, ++flushes, at.getTime(), { ...nothing, unattributed });
  }
  const instanceId = randomUUID();

  test('are told to operators as low when there are more than usual, and end', async () => {
    await world.createForm();
    await send(49);
    await world.judge(rule);
    expect(world.told).toEqual([]);
    await send(100_000);
    await world.judge(rule);
    expect(world.told).toEqual(['unattributed_surge low token_unknown']);
    expect(world.open[0]).toMatchObject({ workspaceId: null, evidence: { rejected: 100_049, minutes: 10 } });
    for (let minute = 0; minute < 40; minute++) {
      expect(world.told).toHaveLength(1);
      world.pass(1);
      await world.judge(rule);
    }
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('are not told if as many are usual at that time of the day', async () => {
    world.pass(10 * day);
    for (let before = 1; before <= 14; before++)
      await send(600, 'token_missing', world.ago(before * day + 20));
    await send(150, 'token_missing');
    await world.judge(unattributedSurgeRule());
    expect(world.told).toEqual([]);
  });
});

describe('the spool', () => {
  const rule = spoolWaitingRule();
  const note = (leads: number, instance = 'a:3000') =>
    noteSpool(world.pool, { instance, leads, bytes: leads * 300 }, world.now);

  test('is told after leads have waited in it for five minutes, and recovers when it is empty', async () => {
    await note(3);
    world.pass(5);
    await world.judge(rule);
    expect(world.told).toEqual([]);
    world.pass(1);
    await note(2);
    await world.judge(rule);
    expect(world.told).toEqual(['spool_waiting high a:3000']);
    expect(world.open[0]).toMatchObject({
      workspaceId: null,
      evidence: { leads: 2, bytes: 600, host: 'a:3000', since: world.ago(6).toISOString() },
    });
    await note(0);
    await world.judge(rule);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('that is empty now and then is draining', async () => {
    for (let minute = 0; minute < 20; minute++) {
      await note(minute % 4);
      await world.judge(rule);
      world.pass(1);
    }
    expect(world.told).toEqual([]);
  });

  test('of an instance that stopped stays told, whatever others note, until it is forgotten', async () => {
    await note(3);
    world.pass(hour);
    await note(0, 'b:3000');
    await world.judge(rule);
    world.pass(day);
    await world.judge(rule);
    expect(world.told).toEqual(['spool_waiting high a:3000']);
    await deleteOldSpools(world.pool, world.now.getTime());
    await world.judge(rule);
    expect(world.closed).toMatchObject([{ closedAs: 'removed' }]);
  });
});
