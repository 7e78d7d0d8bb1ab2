import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { MintCount, MintCountPart } from '../../db/browser/mint-counts.ts';
import { originRules } from '../../domain/browser/origin.ts';
import { hourMs, minuteMs } from '../../time/clock.ts';
import { systemRandomness } from '../../time/randomness.ts';
import { systemClock } from '../../time/real-clock.ts';
import type { FormEntry } from '../directory/directory.ts';
import { MintCounts } from './mint-counts.ts';

const form = {
  id: '0190a1b2-c3d4-7e5f-8a6b-000000000001',
  workspaceId: '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  browser: { origins: originRules(['https://www.example.com', 'https://*.example.org']), localhostUntil: 0 },
} as unknown as FormEntry;

/** Remembers what is written. `isDown` makes it fail after it has taken effect, as a lost connection does. */
class TestPart implements MintCountPart {
  readonly written = new Map<string, readonly MintCount[]>();
  isDown = false;
  isRefusing = false;

  async addMintCounts(instanceId: string, sequence: number, _now: number, counts: readonly MintCount[]) {
    if (this.isRefusing) throw Object.assign(new Error('refused'), { code: '54000' });
    const name = `${instanceId} ${sequence}`;
    if (this.written.has(name)) expect(counts).toEqual(this.written.get(name));
    this.written.set(name, structuredClone(counts));
    if (this.isDown) throw new Error('down');
  }

  get sums(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { minute, origin, step, count } of [...this.written.values()].flat()) {
      const name = `${minute} ${step} ${origin}`;
      sums[name] = (sums[name] ?? 0) + count;
    }
    return sums;
  }
}

function newCounts() {
  const part = new TestPart();
  const deps = { clock: systemClock, randomness: systemRandomness, log: pino({ level: 'silent' }) };
  return { part, counts: new MintCounts({ partOf: () => part, ...deps }) };
}

test('steps are counted by minute and allowed origin', async () => {
  const { part, counts } = newCounts();
  for (let n = 0; n < 3; n++) counts.count(form, 'https://www.example.com', 'challenged', minuteMs + n);
  counts.count(form, 'https://www.example.com', 'challenged', 2 * minuteMs);
  counts.count(form, 'https://a.example.org', 'minted', 0);
  for (const origin of ['https://evil.test', '', 'http://localhost:3000'])
    counts.count(form, origin, 'refused:origin_not_allowed', 0);
  await counts.stop();
  expect(part.sums).toEqual({
    '60000 challenged https://www.example.com': 3,
    '120000 challenged https://www.example.com': 1,
    '0 minted https://a.example.org': 1,
    '0 refused:origin_not_allowed ': 3,
  });
});

test('origins that a wildcard allows and someone makes up share a row after the first hundred of an hour', async () => {
  const { part, counts } = newCounts();
  for (let n = 0; n < 5_000; n++) counts.count(form, `https://a${n}.example.org`, 'challenged', 0);
  counts.count(form, 'https://www.example.com', 'challenged', 0);
  counts.count(form, 'https://new.example.org', 'challenged', hourMs);
  await counts.stop();
  const { sums } = part;
  expect(Object.keys(sums)).toHaveLength(103);
  expect(sums['0 challenged ']).toBe(4_900);
  expect(sums['0 challenged https://www.example.com']).toBe(1);
  expect(sums[`${hourMs} challenged https://new.example.org`]).toBe(1);
});

test('memory is bounded while the database is down, and what was sent is counted once', async () => {
  const { part, counts } = newCounts();
  part.isDown = true;
  counts.count(form, '', 'challenged', 0);
  await counts.stop();
  for (let minute = 0; minute < 30_000; minute++) counts.count(form, '', 'minted', minute * minuteMs);
  await counts.stop();
  part.isDown = false;
  await counts.stop();
  expect(part.sums['0 challenged ']).toBe(1);
  expect(Object.keys(part.sums)).toHaveLength(20_001);
});

test('counts that the database refuses do not hold up later ones', async () => {
  const { part, counts } = newCounts();
  part.isRefusing = true;
  counts.count(form, 'https://a.example.org', 'challenged', 0);
  await counts.stop();
  part.isRefusing = false;
  counts.count(form, 'https://www.example.com', 'challenged', 0);
  await counts.stop();
  expect(part.sums).toEqual({ '0 challenged https://www.example.com': 1 });
});
