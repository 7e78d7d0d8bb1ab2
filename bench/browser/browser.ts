import { parseArgs } from 'node:util';
import type { StreamFigures } from '../../chaos/hostile/stream.ts';
import { endWhenInterrupted } from '../../chaos/interruption.ts';
import { startTarget } from '../../chaos/world/target.ts';
import { table } from '../report.ts';
import { undoAll } from '../undo.ts';
import { measureFlood } from './flood.ts';
import { measureSteps } from './steps.ts';
import { measureWork } from './work.ts';

/** Measures the browser surface: what a visitor waits for, and what a flood of wrong solutions costs others. */
interface Measurement {
  readonly name: string;
  readonly measured: string;
  readonly goal: string;
  readonly isReached: boolean;
}

const p99RatioMax = 1.5;
// A few milliseconds may double by chance, which nobody would notice.
const noticeableMs = 15;
const phoneSlowdown = 4;

const sections = { steps, work, flood } as const;
type Section = keyof typeof sections;
type Target = Awaited<ReturnType<typeof startTarget>>;

async function steps(target: Target): Promise<Measurement[]> {
  const took = await measureSteps(target);
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
  return [
    {
      name: 'challenge, token and submission, without work',
      measured: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      goal: 'p50 <= 30 ms, p99 <= 100 ms',
      isReached: p50 <= 30 && p99 <= 100,
    },
  ];
}

async function work(target: Target, chromium: string): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [slowdown, goalMs] of [
    [1, 600],
    [phoneSlowdown, 1_000],
  ] as const) {
    const median = quantile(await measureWork(target, chromium, slowdown), 0.5);
    measurements.push({
      name: slowdown === 1 ? 'submit in Chromium' : `submit in Chromium, page slowed ${slowdown} times`,
      measured: `median ${median.toFixed(0)} ms`,
      goal: `<= ${goalMs} ms`,
      isReached: median <= goalMs,
    });
  }
  return measurements;
}

async function flood(target: Target): Promise<Measurement[]> {
  const { peakPerSecond, calm, busy, bogus } = await measureFlood(target);
  const measured = ['token', 'webhook'].map((surface, place): Measurement => {
    const [before, during] = [calm[place], busy[place]] as [StreamFigures, StreamFigures];
    const accepted = during.statuses['202'] ?? 0;
    const limitMs = Math.max(noticeableMs, p99RatioMax * before.p99Ms);
    return {
      name: `${surface} surface, both at half their peak (${peakPerSecond.toFixed(0)}/s), with the flood`,
      measured: `${accepted} of ${during.sent} 202, p99 ${during.p99Ms.toFixed(1)} ms instead of ${before.p99Ms.toFixed(1)} ms`,
      goal: `all 202, p99 <= ${p99RatioMax} times`,
      isReached: accepted === during.sent && during.p99Ms <= limitMs,
    };
  });
  const refused = bogus.statuses['403'] ?? 0;
  return [
    ...measured,
    {
      name: 'the flood itself',
      measured: `${refused} of ${bogus.sent} refused, p99 ${bogus.p99Ms.toFixed(0)} ms`,
      goal: 'all refused',
      isReached: refused === bogus.sent,
    },
  ];
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, chromium: { type: 'string', default: '/usr/bin/chromium' } },
  });
  const chosen = (values.only?.split(',') ?? Object.keys(sections)) as Section[];
  try {
    const target = await startTarget({ env: { TRUST_PROXY: '1' } });
    const rows: Measurement[] = [];
    for (const section of chosen) rows.push(...(await sections[section](target, values.chromium)));
    await target.terminate();
    const header = ['measurement', 'measured', 'goal', ''];
    const cells = rows.map((row) => [row.name, row.measured, row.goal, row.isReached ? 'ok' : 'BELOW']);
    process.stdout.write(`${table([header, ...cells]).join('\n')}\n`);
    return rows.every(({ isReached }) => isReached) ? 0 : 1;
  } finally {
    await undoAll();
  }
}

endWhenInterrupted();
process.exitCode = await main();
