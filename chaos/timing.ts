import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../bench/report.ts';
import { callApi } from '../bench/seed.ts';
import { isInterrupted, undoAll } from '../bench/undo.ts';
import { mintToken } from '../src/domain/token.ts';
import { endWhenInterrupted } from './interruption.ts';
import { earlyReturn } from './timing/early-return.ts';
import { type Pair, takeSamples } from './timing/samples.ts';
import { compare } from './timing/statistics.ts';
import { buildBroken } from './world/broken-build.ts';
import type { Instance } from './world/instance.ts';
import {
  bearerRequest,
  createStranger,
  scratchDir,
  signedRequest,
  smallLead,
  startTarget,
} from './world/target.ts';

/** Whether the time of an answer tells an outsider which slugs and tokens exist. */
const differenceMicrosMax = 50;
// A large body makes the HMACs of a signed request a good part of its time, so that a missing one shows.
const bodyBytes = 64 * 1024;
const usualSamples = 3_000;

const usage = `npm run timing -- [options]
  --samples=<n>   of each kind of request (${usualSamples}; 20000 for a verdict to rely on)
  --seed=<n>      repeats the order of an earlier run
`;

interface Row {
  readonly cells: readonly string[];
  readonly isGood: boolean;
}

async function slugPair({ port }: Instance): Promise<Pair> {
  const { slug } = await createStranger(port);
  const unknown = slug.replace(/[0-9a-f-]{36}$/, randomUUID());
  const body = JSON.stringify({ ...JSON.parse(smallLead), notes: 'a'.repeat(bodyBytes) });
  const secret = randomBytes(32).toString('hex');
  return {
    name: 'unknown slug, bad signature',
    requests: () => [signedRequest(unknown, secret, body), signedRequest(slug, secret, body)],
  };
}

async function tokenPair({ port }: Instance): Promise<Pair> {
  const { workspaceId, formId } = await createStranger(port);
  const at = `/workspaces/${workspaceId}/tokens`;
  const revoked = await callApi(port, 'POST', at, { name: 'revoked', form_id: formId });
  await callApi(port, 'DELETE', `${at}/${revoked.id}`, {});
  const unknown = mintToken('server');
  return {
    name: 'unknown token, revoked token',
    requests: () => [bearerRequest(unknown), bearerRequest(revoked.token as string)],
  };
}

async function measure(
  target: Instance,
  pair: Pair,
  samples: number,
  seed: number,
  expectsDifference: boolean,
): Promise<Row> {
  const { micros, answers } = await takeSamples(target.port, pair, samples, seed);
  const { medians, difference, t, dropped } = compare(micros);
  const isSameBytes = new Set([...answers[0], ...answers[1]]).size === 1;
  const isSameTime = Math.abs(difference) <= differenceMicrosMax;
  const isGood = isSameBytes && isSameTime !== expectsDifference;
  const figures = [...medians, difference].map((value) => value.toFixed(1));
  const verdict = isGood ? (expectsDifference ? 'seen' : 'ok') : 'BROKEN';
  const name = expectsDifference ? `${pair.name}, with an early return` : pair.name;
  const cells = [
    name,
    ...figures,
    t.toFixed(1),
    String(dropped),
    isSameBytes ? 'same' : 'DIFFERENT',
    verdict,
  ];
  return { cells, isGood };
}

async function timing(samples: number, seed: number): Promise<boolean> {
  process.stdout.write(
    `Seed ${seed}, ${samples} samples of each kind. A difference of medians up to ${differenceMicrosMax} µs is good.\n`,
  );
  const target = await startTarget();
  const rows = [
    await measure(target, await slugPair(target), samples, seed, false),
    await measure(target, await tokenPair(target), samples, seed, false),
  ];
  await target.terminate();
  const leaky = await startTarget(buildBroken(join(await scratchDir(), 'early-return'), earlyReturn));
  rows.push(await measure(leaky, await slugPair(leaky), samples, seed, true));
  await leaky.terminate();
  const header = [
    'kinds of requests',
    'median µs',
    'median µs',
    'difference',
    't',
    'dropped',
    'bytes',
    'verdict',
  ];
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
