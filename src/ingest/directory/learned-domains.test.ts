import { pino } from 'pino';
import { expect, test } from 'vitest';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { LearnedDomains } from './learned-domains.ts';

function world() {
  const database = {
    revision: '1',
    reads: 0,
    isDown: false,
    rows: [{ domain: 'a.com', mailServer: 'mx.b.com' }],
  };
  const clock = new SimulatedClock(0);
  const learned = new LearnedDomains({
    async readRevision() {
      if (database.isDown) throw new Error('down');
      return database.revision;
    },
    async read() {
      database.reads++;
      return database.rows;
    },
    clock,
    log: pino({ level: 'silent' }),
  });
  return { database, clock, learned };
}

test('knows nothing before the first read, then what was learned, then no more than is left', async () => {
  const { database, learned } = world();
  expect(learned.mailServerOf('a.com')).toBeNull();
  await learned.refresh();
  expect(learned.mailServerOf('a.com')).toBe('mx.b.com');
  expect(learned.mailServerOf('www.a.com')).toBeNull();
  Object.assign(database, { revision: '2', rows: [] });
  await learned.refresh();
  expect(learned.mailServerOf('a.com')).toBeNull();
});

test('knows a domain with accents by the name that DNS has for it', async () => {
  const { database, learned } = world();
  database.rows = [{ domain: 'xn--mller-kva.de', mailServer: 'mx.b.com' }];
  await learned.refresh();
  expect(learned.mailServerOf('müller.de')).toBe('mx.b.com');
});

test('reads the domains only when they have changed', async () => {
  const { database, learned } = world();
  for (let time = 0; time < 3; time++) await learned.refresh();
  expect(database.reads).toBe(1);
});

test('keeps what it knows while the database is down', async () => {
  const { database, learned } = world();
  await learned.refresh();
  database.isDown = true;
  await expect(learned.refresh()).rejects.toThrow('down');
  expect(learned.mailServerOf('a.com')).toBe('mx.b.com');
});
