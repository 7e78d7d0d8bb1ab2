import { pbkdf2Sync } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { beginsWithZeroBits } from '../../../domain/browser/work.ts';
import { systemClock } from '../../../time/real-clock.ts';
import { WorkChecks } from './work-checks.ts';

function newChecks(deps: { workerFile?: URL; clock?: typeof systemClock } = {}): WorkChecks {
  const checks = new WorkChecks({ clock: systemClock, log: pino({ level: 'silent' }), ...deps });
  onTestFinished(() => checks.stop());
  return checks;
}

const task = { nonce: '00112233445566778899aabbccddeeff', salt: 'ffeeddccbbaa99887766554433221100' };
const easy = { ...task, cost: 10, bits: 4 };

function isRight(n: number): boolean {
  const derived = pbkdf2Sync(`${easy.nonce}${n}`, easy.salt, easy.cost, 32, 'sha256');
  return beginsWithZeroBits(derived, easy.bits);
}

test('the thread tells every solution from every number that is none', async () => {
  const checks = newChecks();
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      checks.check('form', `network ${n}`, { ...easy, solution: String(n) }),
    ),
  );
  expect(results).toEqual(Array.from({ length: 60 }, (_, n) => (isRight(n) ? 'solved' : 'wrong')));
  expect(results).toContain('solved');
});

test('solutions are checked in the order of turns, not of arrival', async () => {
  const checks = newChecks();
  const order: string[] = [];
  const check = async (form: string, network: string) => {
    await checks.check(form, network, { ...easy, solution: '1' });
    order.push(form);
  };
  await Promise.all([
    ...Array.from({ length: 50 }, (_, n) => check('flooded', `network ${n}`)),
    check('quiet', 'visitor'),
  ]);
  // The first of the flood was under way, and the second was next in turn.
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(2);
});

test('what has waited for more than ten seconds is dropped', async () => {
  let monotonic = 0;
  const clock = Object.assign(Object.create(systemClock), { monotonic: () => monotonic });
  const checks = newChecks({ clock });
  const first = checks.check('form', 'one', { ...easy, solution: '1' });
  const second = checks.check('form', 'two', { ...easy, solution: '1' });
  monotonic = 10_001;
  expect(await first).not.toBe('dropped');
  expect(await second).toBe('dropped');
});

test('a thread that dies drops one solution, and the next has another thread', async () => {
  const dying = new URL(
    'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.on("message", ({ solution }) => { if (solution === "666") process.exit(1); parentPort.postMessage(true); })',
  );
  const checks = newChecks({ workerFile: dying });
  expect(await checks.check('form', 'one', { ...easy, solution: '666' })).toBe('dropped');
  expect(await checks.check('form', 'one', { ...easy, solution: '1' })).toBe('solved');
});

test('stopping drops everything that waits, and all that comes later', async () => {
  const checks = newChecks();
  const waiting = Array.from({ length: 30 }, (_, n) =>
    checks.check('form', `network ${n}`, { ...easy, cost: 2_000_000, solution: '1' }),
  );
  expect(checks.depth).toBe(29);
  await checks.stop();
  expect(await Promise.all(waiting)).toEqual(Array(30).fill('dropped'));
  expect(await checks.check('form', 'network', { ...easy, solution: '1' })).toBe('dropped');
});
