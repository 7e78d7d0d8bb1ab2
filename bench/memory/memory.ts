import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { memoryOf } from '../cpu.ts';
import { generators, preferredGenerator } from '../load/generator.ts';
import { median } from '../median.ts';
import { buildPages } from '../pages.ts';
import { formatCount } from '../report.ts';
import { startService } from '../targets/targets.ts';
import { runAndUndo, undoLater } from '../undo.ts';

/**
 * Sends leads to the service at full rate for a long time, and shows whether its memory stays flat: the median of the last
 * quarter of the time must not be above that of the second quarter by more than a twentieth.
 */
const connections = 256;
const growthMax = 1.05;
/** So many that none of them reaches its limit per minute or, within an hour, per day. */
const workspaces = 800;
const resultsDir = join(import.meta.dirname, '../results');

async function bench(minutes: number): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const scratchDir = await mkdtemp(join(resultsDir, 'memory-'));
  undoLater(() => rm(scratchDir, { recursive: true, force: true }));
  const { pid, port, tokens, finish } = await startService(scratchDir, { workspaces });
  const memory: number[] = [];
  let answered = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const runId = randomBytes(6).toString('hex');
    const load = { port, tokens, connections, seconds: 60, runId };
    const { rate, requests, failures } = await generators[preferredGenerator()](load, scratchDir);
    if (failures > 0) throw new Error(`${failures} failures in minute ${minute}`);
    answered += requests;
    const [megabytes = 0] = memoryOf([pid]);
    memory.push(megabytes);
    print(`${minute} min  ${formatCount(rate)} leads/s  ${formatCount(megabytes)} MB\n`);
  }
  const kept = await finish();
  const growth = median(quarter(memory, 3)) / median(quarter(memory, 1));
  const isFlat = growth <= growthMax;
  print(`\n${formatCount(answered)} responses, ${formatCount(kept?.leads ?? 0)} leads stored\n`);
  print(
    `Memory, last quarter ÷ second: ${growth.toFixed(3)} (at most ${growthMax}) ${isFlat ? 'ok' : 'ABOVE'}\n`,
  );
  return isFlat && (kept?.leads ?? 0) >= answered;
}

function quarter(values: readonly number[], number: 1 | 3): readonly number[] {
  const length = Math.max(1, Math.floor(values.length / 4));
  return values.slice(number * length, number === 3 ? undefined : (number + 1) * length);
}

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
if (minutes >= 4) process.exitCode = await runAndUndo(() => bench(minutes));
else {
  process.stderr.write('npm run bench:memory -- [--minutes=60]\n   4 or more\n');
  process.exitCode = 2;
}
