import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rankTest } from '../chaos/timing/statistics.ts';

const root = join(import.meta.dirname, '..');
const kinds = 9;

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function runTiming(samples: number): Promise<Ended> {
  const args = [join(root, 'chaos/timing.ts'), `--samples=${samples}`];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

test('the measurement of answer times runs to its end and finds the same bytes; times are not judged here', async () => {
  const { code, stdout, stderr } = await runTiming(20);
  expect(stderr).toBe('');
  // So few samples prove nothing about times, so that it may say so.
  expect([0, 1]).toContain(code);
  const rows = stdout.split('\n').filter((line) => line.startsWith('unknown '));
  expect(rows.filter((line) => / same +(?:ok|small|seen|UNCLEAR|BROKEN)$/.test(line))).toHaveLength(
    kinds + 1,
  );
  expect(rows.at(-1)).toMatch(/with an early return/);
});

describe('the rank test', () => {
  test('says how far two kinds are apart, in standard deviations', () => {
    expect(rankTest([1, 2, 3], [4, 5, 6])).toBeCloseTo(-1.964, 3);
    expect(rankTest([4, 5, 6], [1, 2, 3])).toBeCloseTo(1.964, 3);
  });

  test('lets equal values share their rank', () => {
    expect(rankTest([1, 1, 2], [1, 2, 2])).toBeCloseTo(-0.745, 3);
    expect(rankTest([7, 7], [7, 7, 7])).toBe(0);
  });

  test('sees a small shift that medians in noise do not show', () => {
    const noise = Array.from({ length: 2_000 }, (_, number) => (number * 7_919) % 1_000);
    expect(Math.abs(rankTest(noise, noise))).toBeLessThan(1);
    expect(
      rankTest(
        noise,
        noise.map((value) => value + 100),
      ),
    ).toBeLessThan(-3.9);
  });
});
