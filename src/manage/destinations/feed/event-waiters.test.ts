import { pino } from 'pino';
import { expect, test } from 'vitest';
import { othersDone, SimulatedClock } from '../../../time/simulated-clock.ts';
import { EventWaiters } from './event-waiters.ts';

/** A service with workspaces whose newest events a test chooses. */
class World {
  readonly clock = new SimulatedClock(0);
  readonly newest = new Map<string, number>();
  isDatabaseDown = false;
  unreachable: string | null = null;
  looks = 0;
  readonly waiters = new EventWaiters({
    clock: this.clock,
    log: pino({ level: 'silent' }),
    readNewest: async (workspaceId) => {
      this.looks++;
      if (this.isDatabaseDown || workspaceId === this.unreachable) throw new Error('down');
      return this.newest.get(workspaceId) ?? 0;
    },
  });

  /** How long a caller waited, once it did. */
  wait(workspaceId: string, after: number, seconds = 25, left: AbortSignal[] = []) {
    const startedAt = this.clock.now();
    const waiting = { ms: null as number | null };
    void this.waiters.wait(workspaceId, after, seconds * 1_000, left).then(() => {
      waiting.ms = this.clock.now() - startedAt;
    });
    return waiting;
  }
}

test('a caller waits until there is an event after theirs, for half a second longer at most', async () => {
  const world = new World();
  world.newest.set('a', 5);
  const [behind, waiting] = [world.wait('a', 4), world.wait('a', 5)];
  await world.clock.advance(500);
  expect([behind.ms, waiting.ms]).toEqual([500, null]);
  await world.clock.advance(9_500);
  expect(waiting.ms).toBeNull();
  world.newest.set('a', 6);
  await world.clock.advance(500);
  expect(waiting.ms).toBe(10_500);
});

test('a caller whose time is up, who leaves, or whom the service stops waits no longer', async () => {
  const world = new World();
  const leaving = new AbortController();
  const late = world.wait('a', 0, 3);
  const left = world.wait('a', 0, 25, [leaving.signal]);
  const stopped = world.wait('b', 0);
  await world.clock.advance(3_000);
  expect(late.ms).toBe(3_000);
  leaving.abort();
  await othersDone();
  expect([left.ms, stopped.ms, world.waiters.waiting]).toEqual([3_000, null, 1]);
  await world.waiters.stop();
  await othersDone();
  expect([stopped.ms, world.waiters.waiting]).toEqual([3_000, 0]);
  const after = world.wait('a', 0);
  await othersDone();
  expect(after.ms).toBe(0);
});

test('however many wait for a workspace, it is looked at once in half a second, and not at all when nobody waits', async () => {
  const world = new World();
  for (let n = 0; n < 50; n++) world.wait('a', 0, 10);
  world.wait('b', 0, 5);
  await world.clock.advance(5_000);
  expect(world.looks).toBeLessThanOrEqual(20);
  await world.clock.advance(5_000);
  expect([world.looks <= 30, world.waiters.waiting]).toEqual([true, 0]);
  const { looks } = world;
  await world.clock.advance(60_000);
  expect(world.looks).toBe(looks);
  const again = world.wait('a', 0, 10);
  world.newest.set('a', 1);
  await world.clock.advance(1_000);
  expect(again.ms).toBe(500);
});

test('while the database is down callers keep waiting, and are served once it is back', async () => {
  const world = new World();
  world.isDatabaseDown = true;
  const waiting = world.wait('a', 0);
  await world.clock.advance(10_000);
  expect(waiting.ms).toBeNull();
  world.isDatabaseDown = false;
  world.newest.set('a', 1);
  await world.clock.advance(500);
  expect(waiting.ms).toBe(10_500);
});

test('a thousand wait, and the next is told to ask again', async () => {
  const world = new World();
  for (let n = 0; n < 1_000; n++) world.wait(`${n % 20}`, 0);
  await expect(world.waiters.wait('a', 0, 1_000, [])).rejects.toMatchObject({ code: 'unavailable' });
  await world.waiters.stop();
});

test('however many callers of a workspace wait, there is a place for those of others', async () => {
  const world = new World();
  for (let i = 0; i < 50; i++) world.wait('greedy', 0);
  await expect(world.waiters.wait('greedy', 0, 1_000, [])).rejects.toThrow('Too many callers wait');
  world.wait('other', 0);
  expect(world.waiters.waiting).toBe(51);
  await world.waiters.stop();
});

test('a workspace that cannot be read keeps no other waiting', async () => {
  const world = new World();
  world.unreachable = 'a';
  world.wait('a', 0);
  const other = world.wait('b', 0);
  world.newest.set('b', 1);
  await world.clock.advance(500);
  expect(other.ms).toBe(500);
  await world.waiters.stop();
});
