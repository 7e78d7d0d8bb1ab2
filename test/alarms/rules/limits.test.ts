import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expiryNearRule } from '../../../src/alarms/rules/expiry-near.ts';
import { limitNearRule } from '../../../src/alarms/rules/limit-near.ts';
import { addFormerSecretUses } from '../../../src/db/forms/former-secret-uses.ts';
import { exhaustDay } from '../../../src/db/ingest/rate-windows.ts';
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

describe('limits', () => {
  /** Since `startedAt`. */
  async function use({ workspaceId, surface }: Source, count: number, startedAt = world.ago(2 * hour)) {
    await exhaustDay(world.pool, workspaceId, surface, startedAt);
    await world.pool.query(
      'update rate_windows set day_count = $2 where workspace_id = $1 and surface = $3',
      [...[workspaceId, count, surface]],
    );
  }

  test('80 %, 95 % and 100 % of a day are told, each in place of the one before', async () => {
    const source = await world.createForm();
    const startedAt = world.ago(2 * hour);
    const told: string[][] = [];
    for (const used of [39_999, 40_000, 47_499, 47_500, 49_999, 50_000]) {
      await use(source, used, startedAt);
      await world.judge(limitNearRule());
      told.push(world.told);
    }
    expect(told).toEqual([
      [],
      ['limit_near medium webhook_day_80'],
      ['limit_near medium webhook_day_80'],
      ['limit_near medium webhook_day_95'],
      ['limit_near medium webhook_day_95'],
      ['limit_near high webhook_day_100'],
    ]);
    expect(world.closed.map(({ closedAs }) => closedAs)).toEqual(['superseded', 'superseded']);
    expect(world.open[0]?.evidence).toEqual({
      ...{ used: 50_000, limit: 50_000, window_started_at: startedAt.toISOString() },
      resets_at: new Date(startedAt.getTime() + 86_400_000).toISOString(),
    });
  });

  test('what a window that is over has counted means nothing', async () => {
    const source = await world.createForm();
    await use(source, 50_000, world.ago(day - 1));
    await world.judge(limitNearRule());
    expect(world.told).toEqual(['limit_near high webhook_day_100']);
    world.pass(1);
    await world.judge(limitNearRule());
    expect(world.told).toEqual([]);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('a new window that comes as far begins from the first level', async () => {
    const source = await world.createForm();
    await use(source, 50_000, world.ago(day - 1));
    await world.judge(limitNearRule());
    world.pass(5);
    await use(source, 41_000, world.ago(3));
    await world.judge(limitNearRule());
    expect(world.told).toEqual(['limit_near medium webhook_day_80']);
  });

  test('web pages that use up their limit wake nobody', async () => {
    const source = { ...(await world.createForm()), surface: 'browser' } as const;
    await use(source, 50_000);
    await world.count(source, 'rate_limited_minute', 5, { proven: 0 });
    await world.judge(limitNearRule());
    expect(world.told).toEqual(['limit_near medium browser_day_100', 'limit_near medium browser_minute_100']);
  });

  test('a minute that was full is told once, until half an hour without one', async () => {
    const source = await world.createToken();
    await world.rejected(source, 'rate_limited_minute', 40);
    await world.judge(limitNearRule());
    expect(world.told).toEqual(['limit_near high server_minute_100']);
    expect(world.open[0]?.evidence).toEqual({ rejected: 40, minutes: 10, limit: 1_000 });
    world.pass(30);
    await world.judge(limitNearRule());
    expect(world.told).toHaveLength(1);
    world.pass(1);
    await world.judge(limitNearRule());
    expect(world.told).toEqual([]);
  });

  test('limits of a suspended workspace are not told', async () => {
    const source = await world.createForm();
    await use(source, 50_000);
    world.suspend(source.workspaceId);
    await world.judge(limitNearRule());
    expect(world.told).toEqual([]);
  });
});

describe('tokens that expire', () => {
  const inDays = (days: number) => world.ago(-days * day);

  test('14, 3 and 1 days before, each in place of the one before, and not after', async () => {
    await world.createToken({ expiresAt: inDays(15), lastUsedAt: world.ago(day) });
    const told: string[][] = [];
    for (const passed of [0, 1, 10, 1, 2, 1]) {
      world.pass(passed * day);
      await world.judge(expiryNearRule());
      told.push(world.told);
    }
    const near = (level: number) => [`expiry_near medium days_${level}`];
    expect(told).toEqual([[], near(14), near(14), near(3), near(1), []]);
    expect(world.closed.map(({ closedAs }) => closedAs)).toEqual(['superseded', 'superseded', 'removed']);
  });

  test('only if they are used', async () => {
    await world.createToken({ expiresAt: inDays(2) });
    await world.createToken({ expiresAt: inDays(2), lastUsedAt: world.ago(31 * day) });
    await world.createToken({ expiresAt: inDays(2), lastUsedAt: world.ago(1), revokedAt: world.ago(1) });
    await world.judge(expiryNearRule());
    expect(world.told).toEqual([]);
  });

  test('a token with a successor only if it was used since, and lately', async () => {
    const successor = await world.createToken();
    const token = await world.createToken(
      { expiresAt: inDays(5), lastUsedAt: world.ago(2 * day) },
      successor,
    );
    await world.pool.query('update tokens set replaced_by = $2 where id = $1', [
      token.tokenId,
      successor.tokenId,
    ]);
    await world.judge(expiryNearRule());
    expect(world.told).toEqual([]);
    world.changeToken(token, { lastUsedAt: world.ago(hour) });
    await world.judge(expiryNearRule());
    expect(world.told).toEqual(['expiry_near medium days_14']);
    await world.pool.query('update tokens set created_at = $2 where id = $1', [
      successor.tokenId,
      world.ago(30),
    ]);
    await world.judge(expiryNearRule());
    expect(world.told).toEqual([]);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });
});

describe('the overlap of two secrets', () => {
  async function overlap(endsAt: Date): Promise<Source> {
    const source = await world.createForm();
    await world.pool.query(
      `insert into webhook_secrets (form_id, workspace_id, current_ciphertext, set_at, previous_ciphertext, previous_valid_until, revision)
       values ($1, $2, $3, $4, $3, $5, 1)`,
      [source.formId, source.workspaceId, randomBytes(8), world.ago(day), endsAt],
    );
    return source;
  }

  async function useFormer({ workspaceId, formId }: Source, endsAt: Date, at: Date) {
    const times = { overlapEndsAt: endsAt.toISOString(), minute: at.toISOString(), lastAt: at.toISOString() };
    await addFormerSecretUses(world.pool, [
      { shard: shardOf(workspaceId), workspaceId, formId, count: 1, ...times },
    ]);
  }

  test('is told on its last day if the former secret was used on the day before', async () => {
    const endsAt = world.ago(-day - 1);
    const source = await overlap(endsAt);
    const unused = await overlap(world.ago(-hour));
    await useFormer(unused, world.ago(-hour), world.ago(day + 1));
    await useFormer(source, endsAt, world.ago(1));
    await world.judge(expiryNearRule());
    expect(world.told).toEqual([]);
    world.pass(1);
    await world.judge(expiryNearRule());
    expect(world.told).toEqual(['expiry_near medium overlap']);
    expect(world.open[0]).toMatchObject({
      formId: source.formId,
      evidence: { ends_at: endsAt.toISOString() },
    });
    world.pass(day);
    await world.judge(expiryNearRule());
    expect(world.told).toEqual([]);
    expect(world.closed).toMatchObject([{ closedAs: 'removed' }]);
  });

  test('has recovered when someone ends it', async () => {
    const endsAt = world.ago(-hour);
    const source = await overlap(endsAt);
    await useFormer(source, endsAt, world.ago(1));
    await world.judge(expiryNearRule());
    await world.pool.query(
      'update webhook_secrets set previous_ciphertext = null, previous_valid_until = null where form_id = $1',
      [source.formId],
    );
    await world.judge(expiryNearRule());
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });
});
