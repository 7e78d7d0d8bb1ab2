import { pino } from 'pino';
import { expect, test } from 'vitest';
import { everyPart, type WatchedPart } from '../../contract/live/names.ts';
import type { Role } from '../../domain/role.ts';
import { othersDone, SimulatedClock } from '../../time/simulated-clock.ts';
import { Live, type Prints, streamsPerCallerMax } from './live.ts';

/** A service with workspaces whose prints a test changes, and one person who owns all of them. */
class World {
  readonly clock = new SimulatedClock(0);
  readonly prints: Record<WatchedPart, string>;
  role: Role | null = 'owner';
  isSignedIn = true;
  name = 'Ada';
  isDatabaseDown = false;
  looks = 0;
  sessionQueries: (readonly string[])[] = [];
  readonly live: Live;

  constructor() {
    this.prints = Object.fromEntries(everyPart.map((part) => [part, '0'])) as Record<WatchedPart, string>;
    this.live = new Live({
      clock: this.clock,
      log: pino({ level: 'silent' }),
      readPrints: async () => this.#read(),
      readSessions: async (ids) => this.#sessions(ids),
    });
  }

  async #read(): Promise<Prints> {
    this.looks++;
    if (this.isDatabaseDown) throw new Error('down');
    return { ...this.prints };
  }

  async #sessions(ids: readonly string[]) {
    this.sessionQueries.push(ids);
    if (this.isDatabaseDown) throw new Error('down');
    const roles = this.role === null ? {} : { a: this.role, b: this.role };
    const session = { roles, print: this.name + this.role };
    return new Map(this.isSignedIn ? ids.map((id) => [id, { id, ...session }]) : []);
  }

  async open(workspaceIds = ['a'], left: AbortSignal[] = [], who = 'ada'): Promise<Reader> {
    const roles = new Map(workspaceIds.map((id) => [id, this.role ?? 'member']));
    return new Reader(await this.live.open({ who, sessionId: `session of ${who}`, roles }, left));
  }

  pass(seconds: number): Promise<void> {
    return this.clock.advance(seconds * 1_000);
  }
}

/** Keeps what it has read. */
class Reader {
  text = '';
  isEnded = false;

  constructor(body: ReadableStream<Uint8Array>) {
    void this.#read(body);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of body) this.text += new TextDecoder().decode(chunk);
    this.isEnded = true;
  }

  /** What arrived since the last call. */
  async news(): Promise<string> {
    await othersDone();
    const { text } = this;
    this.text = '';
    return text;
  }
}

const inStep = 'event: in_step\ndata: {}\n\n';
const me = 'event: me\ndata: {}\n\n';
const changed = (workspace_id: string, ...parts: WatchedPart[]) =>
  `event: changed\ndata: ${JSON.stringify({ workspace_id, changed: parts })}\n\n`;

test('a stream begins with in_step and names each change once, within two seconds', async () => {
  const world = new World();
  const reader = await world.open();
  expect(await reader.news()).toBe(inStep);
  await world.pass(4);
  expect(await reader.news()).toBe('');
  world.prints.leads = '1';
  world.prints.diagnostics = '1';
  await world.pass(2);
  expect(await reader.news()).toBe(changed('a', 'leads', 'diagnostics'));
  await world.pass(6);
  expect(await reader.news()).toBe('');
});

test('a member hears nothing when only what owners may read has changed', async () => {
  const world = new World();
  world.role = 'member';
  const reader = await world.open();
  await reader.news();
  for (const part of ['diagnostics', 'audit', 'members', 'enrichment'] as const) world.prints[part] = '1';
  await world.pass(10);
  expect(await reader.news()).toBe('');
  world.prints.leads = '1';
  await world.pass(2);
  expect(await reader.news()).toBe(changed('a', 'leads'));
});

test('an owner who becomes a member is told within five seconds, and hears of no rejection from then on', async () => {
  const world = new World();
  const reader = await world.open();
  await reader.news();
  world.role = 'member';
  await world.pass(5);
  expect(await reader.news()).toBe(me);
  world.prints.diagnostics = '1';
  await world.pass(4);
  expect(await reader.news()).toBe('');
});

test.each([
  ['a session ends', (world: World) => Object.assign(world, { isSignedIn: false })],
  ['a membership ends', (world: World) => Object.assign(world, { role: null })],
])('within five seconds after %s, its streams end', async (_, change) => {
  const world = new World();
  const reader = await world.open(['a', 'b']);
  await reader.news();
  change(world);
  await world.pass(5);
  expect(await reader.news()).toBe(me);
  expect([reader.isEnded, world.live.streams]).toEqual([true, 0]);
});

test('a stream whose session has ended before it opened ends at its start', async () => {
  const world = new World();
  world.isSignedIn = false;
  const reader = await world.open();
  await othersDone();
  expect([reader.isEnded, world.live.streams]).toEqual([true, 0]);
});

test('a changed name or role elsewhere is told as me', async () => {
  const world = new World();
  const reader = await world.open();
  await reader.news();
  world.name = 'Ada Lovelace';
  await world.pass(5);
  expect(await reader.news()).toBe(me);
});

test('however many streams watch a workspace, it is looked at once, and their sessions are read in one query', async () => {
  const world = new World();
  for (let n = 0; n < 10; n++) await world.open(['a'], [], `person ${n}`);
  world.looks = 0;
  world.sessionQueries = [];
  await world.pass(5);
  expect(world.looks).toBe(2);
  expect(world.sessionQueries.map((ids) => ids.length)).toEqual([10]);
});

test('nothing is read and no timer is left while nobody watches', async () => {
  const world = new World();
  const leaving = new AbortController();
  await world.open(['a'], [leaving.signal]);
  leaving.abort();
  await othersDone();
  world.looks = 0;
  await world.pass(60);
  expect([world.looks, world.live.streams, world.clock.step()]).toEqual([0, 0, false]);
  const reader = await world.open();
  await reader.news();
  world.prints.leads = '1';
  await world.pass(2);
  expect(await reader.news()).toBe(changed('a', 'leads'));
});

test('a stream outlives an outage of the database, and is then told that anything may have changed', async () => {
  const world = new World();
  const reader = await world.open();
  await reader.news();
  world.isDatabaseDown = true;
  await world.pass(14);
  expect(await reader.news()).toBe('');
  world.isDatabaseDown = false;
  await world.pass(2);
  expect(await reader.news()).toContain(changed('a', ...everyPart));
  expect(reader.isEnded).toBe(false);
});

test('an idle stream gets a comment every 15 seconds', async () => {
  const world = new World();
  const reader = await world.open();
  await reader.news();
  await world.pass(31);
  expect(await reader.news()).toBe(':\n\n:\n\n');
});

test('what a slow reader has not read is kept as names, once each', async () => {
  const world = new World();
  const body = await world.live.open({ who: 'ada', sessionId: null, roles: new Map([['a', 'owner']]) }, []);
  for (let n = 1; n <= 50; n++) {
    world.prints.leads = String(n);
    await world.pass(2);
  }
  const reader = new Reader(body);
  expect(await reader.news()).toBe(inStep + changed('a', 'leads'));
});

test('a person can have 20 streams, and another person still gets one', async () => {
  const world = new World();
  const leaving = new AbortController();
  await world.open(['a'], [leaving.signal]);
  for (let n = 1; n < streamsPerCallerMax; n++) await world.open();
  await expect(world.open()).rejects.toMatchObject({ code: 'too_many_in_progress' });
  await world.open(['a'], [], 'bob');
  leaving.abort();
  await world.open();
  await expect(world.open()).rejects.toMatchObject({ code: 'too_many_in_progress' });
});

test('opening that fails takes no place', async () => {
  const world = new World();
  world.isDatabaseDown = true;
  for (let n = 0; n <= streamsPerCallerMax; n++) await expect(world.open()).rejects.toThrow('down');
  expect(world.live.streams).toBe(0);
});

test('a stopped service ends its streams immediately and opens no more', async () => {
  const world = new World();
  const readers = [await world.open(['a']), await world.open(['b'])];
  await world.live.stop();
  await othersDone();
  expect(readers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  await expect(world.open()).rejects.toMatchObject({ code: 'unavailable' });
  expect(world.clock.step()).toBe(false);
});
