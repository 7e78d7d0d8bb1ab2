import { expect, test } from 'vitest';
import { nextRequestId } from './request-id.ts';

test('a request id is a UUID', () => {
  for (let i = 0; i < 1_000; i++)
    expect(nextRequestId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('no request id is given twice', () => {
  const count = 200_000;
  const ids = new Set<string>();
  for (let i = 0; i < count; i++) ids.add(nextRequestId());
  expect(ids.size).toBe(count);
});

test('no part of a request id reveals how many came before it, or which comes next', () => {
  const ids = Array.from({ length: 4_096 }, nextRequestId);
  // Every random digit takes every value about equally often, and follows no order.
  for (let place = 0; place < 36; place++) {
    const digits = ids.map((id) => Number.parseInt(id[place] ?? '', 16));
    if (Number.isNaN(digits[0]) || place === 14 || place === 19) continue;
    const counts = Array.from({ length: 16 }, (_, value) => digits.filter((digit) => digit === value).length);
    // 256 are expected, with a standard deviation of 15.5.
    for (const count of counts) expect(Math.abs(count - 256)).toBeLessThan(110);
    const same = digits.filter((digit, i) => digit === digits[i - 1]).length;
    const next = digits.filter((digit, i) => digit === ((digits[i - 1] ?? 0) + 1) % 16).length;
    for (const count of [same, next]) expect(Math.abs(count - 256)).toBeLessThan(110);
  }
  for (const [from, to] of [
    [0, 8],
    [24, 36],
  ])
    expect(new Set(ids.map((id) => id.slice(from, to))).size).toBeGreaterThan(ids.length - 4);
});
