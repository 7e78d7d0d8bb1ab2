import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { FlushPart } from '../../db/ingest/ingest-database.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { betweenFlushesMsMax, FlushedTally } from './flushed-tally.ts';

/** When it is written within a minute of steady traffic, if writing takes that long. */
async function flushTimes(tookMs: number): Promise<number[]> {
  const clock = new SimulatedClock(0);
  const times: number[] = [];
  const count = () => flushed.tally.countUnattributed('server', 'token_unknown', clock.now(), '');
  const part = {
    async apply() {
      times.push(clock.now());
      count();
      await new Promise<void>((resolve) => clock.deadline(tookMs, resolve));
    },
  };
  const log = pino({ enabled: false });
  const flushed = new FlushedTally({ part, instanceId: '', clock, log, host: null });
  count();
  flushed.start();
  await clock.advance(60_000);
  const stopping = flushed.stop();
  await clock.advance(60_000);
  await stopping;
  return times.slice(0, -2);
}

const gaps = (times: number[]) => times.slice(1).map((time, index) => time - (times[index] as number));

test('counts are written once a second if that is quickly done', async () => {
  expect(new Set(gaps(await flushTimes(20)))).toEqual(new Set([1_020]));
});

test('counts are written less often if that takes long, and still within seconds', async () => {
  expect(new Set(gaps(await flushTimes(40)))).toEqual(new Set([2_040]));
  expect(new Set(gaps(await flushTimes(400)))).toEqual(new Set([betweenFlushesMsMax + 400]));
});

/** How long a flush takes that rests so often. */
async function restedMs(rests: number, isStopping = false): Promise<number> {
  const clock = new SimulatedClock(0);
  let tookMs = 0;
  const part = {
    async apply(...[, , , , rest]: Parameters<FlushPart['apply']>) {
      const startedAt = clock.now();
      for (let count = 0; count < rests; count++) await rest?.();
      tookMs = clock.now() - startedAt;
    },
  };
  const log = pino({ enabled: false });
  const flushed = new FlushedTally({ part, instanceId: '', clock, log, host: null });
  flushed.tally.countUnattributed('server', 'token_unknown', 0, '');
  const ended = isStopping ? flushed.stop() : flushed.flush();
  await clock.advance(60_000);
  await ended;
  return tookMs;
}

test('a flush rests after each statement, but a tenth of a second at most, and not when the service stops', async () => {
  expect(await restedMs(3)).toBe(15);
  expect(await restedMs(1_000)).toBe(100);
  expect(await restedMs(3, true)).toBe(0);
});
