import { pino } from 'pino';
import { expect, test } from 'vitest';
import { othersDone, SimulatedClock } from '../../time/simulated-clock.ts';
import { isReadOnly } from '../errors.ts';
import { isUnavailable } from '../unavailable.ts';
import { DatabaseHosts, type HostConnection } from './database-hosts.ts';
import type { Host } from './database-url.ts';
import type { HostState } from './host-state.ts';

const [a, b] = [
  { host: 'a', port: 5432 },
  { host: 'b', port: 5432 },
];
const standby: HostState = { kind: 'standby', walBytes: 1 };
const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
const down: HostState = { kind: 'unreachable', error: refused };

function primaryOn(timeline: number, cluster = 'ours', startedAt = 'monday'): HostState {
  return { kind: 'primary', cluster, timeline, startedAt, walBytes: 9 };
}

/** Hosts whose answers a test gives one by one. */
class World {
  readonly clock = new SimulatedClock(0);
  readonly lines: Record<string, unknown>[] = [];
  readonly asked: string[] = [];
  readonly dropped: string[] = [];
  readonly #pending = new Map<string, (state: HostState) => void>();
  readonly hosts = new DatabaseHosts({
    hosts: [a, b] as Host[],
    clock: this.clock,
    ask: ({ host }) => {
      this.asked.push(host);
      return new Promise((resolve) => this.#pending.set(host, resolve));
    },
  });

  constructor() {
    this.hosts.tellTo(pino({}, { write: (line) => void this.lines.push(JSON.parse(line)) }));
  }

  async answer(host: string, state: HostState): Promise<void> {
    this.#pending.get(host)?.(state);
    await othersDone();
  }

  /** The host that a new connection goes to, or why there is none. */
  async find(answers: Record<string, HostState>, use: 'writing' | 'reading' = 'writing'): Promise<string> {
    const place = this.hosts.find(use).then(
      ({ host, isPrimary }) => (isPrimary ? host.host : `${host.host} for reading`),
      (error: Error) => error.message,
    );
    for (const [host, state] of Object.entries(answers)) await this.answer(host, state);
    await this.clock.advance(2000);
    return place;
  }

  connect(host: Host, isPrimary = true): HostConnection {
    const connection = { place: { host, isPrimary }, drop: () => void this.dropped.push(host.host) };
    this.hosts.add(connection);
    return connection;
  }
}

test('a known primary is used without a question, and connections that start together share one search', async () => {
  const world = new World();
  const together = [world.hosts.find('writing'), world.hosts.find('reading')];
  await world.answer('a', standby);
  await world.answer('b', primaryOn(1));
  expect((await Promise.all(together)).map(({ host }) => host)).toEqual([b, b]);
  expect(await world.find({})).toBe('b');
  world.hosts.doubt(a as Host);
  expect(await world.find({})).toBe('b');
  expect(world.asked).toEqual(['a', 'b']);
});

test('a host that never answers delays the first search by the grace, is asked once, and may answer later', async () => {
  const world = new World();
  const place = world.hosts.find('writing');
  await world.answer('b', primaryOn(1));
  await world.clock.advance(149);
  expect(world.lines).toEqual([]);
  await world.clock.advance(1);
  expect((await place).host).toEqual(b);
  // Nobody waits for it again, although it is still being asked.
  world.hosts.doubt(b as Host);
  const next = world.hosts.find('writing').catch((error: Error) => error.message);
  await world.answer('b', standby);
  expect(await next).toBe(
    'no host of DATABASE_URL accepts writes: a:5432 does not respond, b:5432 is a standby',
  );
  await world.answer('a', primaryOn(2));
  expect(await world.find({})).toBe('a');
  expect(world.asked).toEqual(['a', 'b', 'b']);
});

test('a host that is far away gets the time it needs, and one that hangs gets no more than it used to need', async () => {
  const world = new World();
  const place = world.hosts.find('writing');
  await world.answer('a', standby);
  await world.clock.advance(1900);
  await world.answer('b', primaryOn(1));
  expect((await place).host).toEqual(b);
  world.hosts.doubt(b as Host);
  let isOver = false;
  const next = world.hosts.find('writing').catch(() => {
    isOver = true;
  });
  await world.answer('b', standby);
  await world.clock.advance(399);
  expect(isOver).toBe(false);
  await world.clock.advance(1);
  await next;
  expect(isOver).toBe(true);
});

test('of two hosts that accept writes, the newer timeline wins, and an older one is never used again', async () => {
  const world = new World();
  expect(await world.find({ a: primaryOn(1), b: primaryOn(2) })).toBe('b');
  world.hosts.doubt(b as Host);
  expect(await world.find({ a: primaryOn(1), b: down })).toMatch(
    /a:5432 is not the current primary, b:5432 is unr/,
  );
  const told = world.lines.filter(({ msg }) => String(msg).startsWith('PostgreSQL host refused'));
  expect(told).toMatchObject([
    { host: 'a:5432', reason: expect.stringContaining('timeline 2 was seen on b:5432') },
  ]);
  expect(await world.find({ a: primaryOn(3, 'another'), b: down })).toMatch(
    /^no host of DATABASE_URL accepts writes/,
  );
  expect(await world.find({ a: primaryOn(3), b: primaryOn(2) })).toBe('a');
});

test('a server under two names is one primary; two servers with the same timeline are not', async () => {
  const world = new World();
  const refusals = () => world.lines.filter(({ msg }) => String(msg).startsWith('PostgreSQL host refused'));
  expect(await world.find({ a: primaryOn(1), b: primaryOn(1) })).toBe('a');
  expect(refusals()).toEqual([]);
  world.hosts.doubt(a as Host);
  expect(await world.find({ a: primaryOn(1), b: primaryOn(1, 'ours', 'tuesday') })).toBe('a');
  expect(refusals()).toMatchObject([{ host: 'b:5432', reason: expect.stringContaining('same timeline 1') }]);
});

test('a newer primary that answers late replaces the one in use, and connections to others are dropped', async () => {
  const world = new World();
  const place = world.hosts.find('writing');
  await world.answer('a', primaryOn(1));
  await world.clock.advance(150);
  world.connect((await place).host);
  world.connect(b as Host, false);
  const kept = world.connect(b as Host);
  world.hosts.remove(world.connect(a as Host));
  await world.answer('b', primaryOn(2));
  expect(await world.find({})).toBe('b');
  expect(world.dropped).toEqual(['a', 'b']);
  expect(kept.place?.host).toBe(b);
});

test('only a service that never saw a primary reads from a standby', async () => {
  const world = new World();
  const far: HostState = { kind: 'standby', walBytes: 9 };
  expect(await world.find({ a: standby, b: far }, 'reading')).toBe('b for reading');
  expect(await world.find({ a: standby, b: far })).toMatch(/^no host of DATABASE_URL accepts writes/);
  expect(await world.find({ a: primaryOn(1), b: far }, 'reading')).toBe('a');
  world.hosts.doubt(a as Host);
  expect(await world.find({ a: down, b: far }, 'reading')).toMatch(/^no host of DATABASE_URL accepts writes/);
});

test('hosts that are down are an outage, standbys are read-only, and a password that all refuse is an error', async () => {
  const world = new World();
  const errorOf = async (answers: Record<string, HostState>) => {
    const error = world.hosts.find('writing').catch((reason: unknown) => reason);
    for (const [host, state] of Object.entries(answers)) await world.answer(host, state);
    return error;
  };
  const wrong: HostState = {
    kind: 'unreachable',
    error: Object.assign(new Error('denied'), { code: '28P01' }),
  };
  const outage = await errorOf({ a: down, b: wrong });
  expect([isUnavailable(outage), isReadOnly(outage)]).toEqual([true, false]);
  const readOnly = await errorOf({ a: standby, b: wrong });
  expect([isUnavailable(readOnly), isReadOnly(readOnly)]).toEqual([true, true]);
  expect(await errorOf({ a: wrong, b: wrong })).toMatchObject({ code: '28P01' });
});
