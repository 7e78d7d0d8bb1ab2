import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { DeliveryOutcome } from '../../src/db/deliver/deliver-database.ts';
import { NoPrimaryError } from '../../src/db/errors.ts';
import { OutcomeWriter } from '../../src/deliver/outcome-writer.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';

const outcome = (deliveryId: string, workspaceId = 'w'): DeliveryOutcome => ({
  workspaceId,
  deliveryId,
  attemptsBefore: 0,
  state: 'delivered',
  nextAt: null,
  at: new Date(0),
  status: 200,
  errorClass: null,
  error: null,
  attempt: null,
  destinationVersion: 1,
  sentTo: [],
});

/** A database whose writes the test lets fail. */
class FakeDatabase {
  readonly writes: string[][] = [];
  failure: (ids: readonly string[], part: number | null) => Error | null = () => null;

  async partOf(workspaceId: string): Promise<number | null> {
    return workspaceId.length;
  }

  async writeOutcomes(outcomes: readonly DeliveryOutcome[], part: number | null): Promise<void> {
    const ids = outcomes.map(({ deliveryId }) => deliveryId);
    const failure = this.failure(ids, part);
    if (failure !== null) throw failure;
    this.writes.push(ids);
  }
}

function create() {
  const database = new FakeDatabase();
  const clock = new SimulatedClock(0);
  const writer = new OutcomeWriter({ database, clock, log: pino({ level: 'silent' }) });
  const written: string[] = [];
  const write = (id: string, workspaceId?: string) =>
    void writer.write(outcome(id, workspaceId)).then(() => written.push(id));
  return { database, clock, writer, written, write };
}

test('outcomes that come within a moment are written together', async () => {
  const { database, clock, write, written } = create();
  write('a');
  write('b');
  await clock.advance(5);
  write('c');
  await clock.advance(5);
  expect(database.writes).toEqual([['a', 'b', 'c']]);
  expect(written).toEqual(['a', 'b', 'c']);
});

test('during an outage outcomes wait, and are written once when it ends', async () => {
  const { database, clock, writer, write, written } = create();
  database.failure = () => new NoPrimaryError('no primary', false);
  write('a');
  await clock.advance(60_000);
  write('b');
  expect(writer.waitingCount).toBe(2);
  database.failure = () => null;
  await clock.advance(20_000);
  expect(database.writes).toEqual([['a', 'b']]);
  expect(written).toEqual(['a', 'b']);
  expect(writer.waitingCount).toBe(0);
});

test('an outcome that cannot be written does not hold up others', async () => {
  const { database, clock, write, written } = create();
  database.failure = (ids) => (ids.includes('b') ? new Error('out of range') : null);
  for (const id of ['a', 'b', 'c']) write(id);
  await clock.advance(10);
  expect(written).toEqual(['a', 'c']);
});

test('a part of the database that is down does not hold up others', async () => {
  const { database, clock, write, written } = create();
  database.failure = (_, part) => (part === 1 ? new NoPrimaryError('no primary', false) : null);
  write('a', 'w');
  write('b', 'workspace');
  await clock.advance(10);
  expect(written).toEqual(['b']);
});

test('a writer that was stopped writes nothing more', async () => {
  const { database, clock, writer, write } = create();
  write('a');
  writer.stop();
  await clock.advance(60_000);
  expect(database.writes).toEqual([]);
});
