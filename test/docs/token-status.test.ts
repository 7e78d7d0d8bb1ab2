import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthThresholds, tokenHealths } from '../../src/domain/tokens/token-health.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/server-token.md'), 'utf8');

test('the documentation lists every status of a token in its order, with the thresholds in effect', () => {
  const rows = page
    .split('\n')
    .filter((line) => tokenHealths.some((health) => line.includes(`| \`${health}\` |`)));
  expect(rows.map((row) => /`(\w+)`/.exec(row)?.[1])).toEqual([...tokenHealths]);
  const numbers = (health: string) =>
    rows
      .find((row) => row.includes(`\`${health}\``))
      ?.match(/\d+/g)
      ?.map(Number);
  const { expiresSoonDays, rejectedMin, rejectedPercentMin, idleDays, unusedDays } = healthThresholds;
  expect(numbers('expires_soon')).toEqual([expiresSoonDays]);
  expect(numbers('elevated_rejections')).toEqual([rejectedMin, rejectedPercentMin]);
  expect(numbers('idle')).toEqual([idleDays, unusedDays]);
});
