import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AnchoredClock } from '../../src/time/anchored-clock.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { SettableTime } from '../support/clocks.ts';
import { eventually, metricOf } from '../support/diagnostics.ts';
import { type Answer, createSender, expectRejected, post, type Sender, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const leapMs = 10 * minuteMs;
const time = new SettableTime();
const logged: string[] = [];
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
  service = await startTestService({ clock: new AnchoredClock(time), log });
  sender = await createSender(service);
});
afterAll(() => service.stop());

// Long enough for the service to follow whatever the previous test did to the clock.
beforeEach(() => {
  service.clock.now();
  time.pass(2 * leapMs);
  expect(service.clock.now()).toBe(time.wall());
});

function signedAt(ms: number): Promise<Answer> {
  return post(service, sender, 'webhook', someLead, { timestamp: String(Math.floor(ms / 1000)) });
}

// Comes first, because the tests below write to the log too.
test('a leap of the clock is logged, and so is its end', async () => {
  const says = (text: string) =>
    eventually(
      async () => logged.join(''),
      (all) => all.includes(text),
    );
  time.set(leapMs);
  expect(await says('"leap_seconds":600')).toContain('system clock jumped');
  time.set(-leapMs);
  expect(await says('agree again')).toContain('agree again');
});

test.each([leapMs, -leapMs])(
  'a clock that is wrong by %d ms rejects no signed lead for ten minutes',
  async (ms) => {
    time.set(ms);
    expect(await metricOf(service, 'leadgate_clock_leap_seconds')).toBe(ms / 1000);
    time.pass(9 * minuteMs);
    expect((await signedAt(time.wall() - ms)).status).toBe(202);
    time.pass(2 * minuteMs);
    expectRejected(await signedAt(time.wall() - ms));
    expect((await signedAt(time.wall())).status).toBe(202);
  },
);

test('correcting a slow clock rejects no signed lead', async () => {
  time.set(leapMs);
  expect((await signedAt(time.wall())).status).toBe(202);
});

test('setting the clock back does not make old requests valid again', async () => {
  const recordedAt = time.wall();
  time.pass(leapMs);
  expectRejected(await signedAt(recordedAt));
  time.set(-leapMs);
  expectRejected(await signedAt(recordedAt));
});
