import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../bench/report.ts';
import { isInterrupted, undoAll } from '../bench/undo.ts';
import { endWhenInterrupted } from './interruption.ts';
import { earlyReturn } from './timing/early-return.ts';
import { badSignaturePair, pairs } from './timing/pairs.ts';
import { type Pair, takeSamples } from './timing/samples.ts';
import { compare } from './timing/statistics.ts';
import { buildBroken } from './world/broken-build.ts';
import type { Instance } from './world/instance.ts';
import { scratchDir, startTarget } from './world/target.ts';

/** Checks that response times do not reveal which slugs and tokens exist. */
const differenceMicrosMax = 50;
// Above it, chance is an unlikely explanation.
const chanceZMax = 3.9;
const usualSamples = 3_000;

const usage = `npm run timing -- [options]
  --samples=<n>   of each kind of request (${usualSamples}; 20000 for a verdict to rely on)
  --seed=<n>      repeats the order of an earlier run
`;

interface Row {
  readonly cells: readonly string[];
  readonly isGood: boolean;
}

async function measure(
  target: Instance,
  pair: Pair,
  samples: number,
  seed: number,
  expectsDifference: boolean,
): Promise<Row> {
  const { micros, answers } = await takeSamples(target.port, pair, samples, seed);
  const { medians, difference, z } = compare(micros);
  const isSameBytes = new Set([...answers[0], ...answers[1]]).size === 1;
  const isLarge = Math.abs(difference) > differenceMicrosMax;
  const isChance = Math.abs(z) <= chanceZMax;
  const isGood = isSameBytes && (expectsDifference ? isLarge && !isChance : !isLarge);
  const good = expectsDifference ? 'seen' : isChance ? 'ok' : 'small';
  const bad = isSameBytes && isLarge && isChance ? 'UNCLEAR' : 'BROKEN';
  const name = expectsDifference ? `${pair.name}, with an early return` : pair.name;
  const cells = [
    name,
    ...[...medians, difference, z].map((value) => value.toFixed(1)),
    isSameBytes ? 'same' : 'DIFFERENT',
    isGood ? good : bad,
  ];
  return { cells, isGood };
}

async function timing(samples: number, seed: number): Promise<boolean> {
  process.stdout.write(
    `Seed ${seed}, ${samples} samples of each kind. A difference of medians up to ${differenceMicrosMax} µs is good.\n` +
      `It is called small when the rank test (z) says that it is not chance.\n`,
  );
  const rows: Row[] = [];
  const target = await startTarget();
  for (const makePair of pairs)
    rows.push(await measure(target, await makePair(target.port), samples, seed, false));
  await target.terminate();
  const sourceDir = buildBroken(join(await scratchDir(), 'early-return'), earlyReturn);
  const leaky = await startTarget({ sourceDir });
  rows.push(await measure(leaky, await badSignaturePair(leaky.port), samples, seed, true));
  await leaky.terminate();
  const header = ['kinds of requests', 'median µs', 'median µs', 'difference', 'z', 'bytes', 'verdict'];
  process.stdout.write(`${table([header, ...rows.map(({ cells }) => cells)]).join('\n')}\n`);
  return rows.every(({ isGood }) => isGood);
}

function readNumber(text: string | undefined, usual: number): number {
  const number = Number(text ?? usual);
  if (!Number.isInteger(number) || number < 1) throw new Error(`"${text}" is not a whole number above zero`);
  return number;
}

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({ options: { samples: { type: 'string' }, seed: { type: 'string' } } });
    const isGood = await timing(
      readNumber(values.samples, usualSamples),
      readNumber(values.seed, randomInt(1, 2 ** 31)),
    );
    return isGood ? 0 : 1;
  } catch (error) {
    if (isInterrupted()) return 130;
    if (!/is not a whole number|Unknown option|Unexpected argument/.test((error as Error).message))
      throw error;
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  } finally {
    await undoAll();
  }
}

endWhenInterrupted();
process.exitCode = await main();
