import { expect, test } from 'vitest';
import { type LeadPrint, RepeatMemory } from '../repeat-memory.ts';
import { BodyCounts } from './body-counts.ts';
import { RecentLeads } from './recent-leads.ts';
import type { Sketch } from './sketch.ts';
import { TextMemory } from './text-memory.ts';

const hourMs = 3_600_000;
const kilobyte = 1_024;
const none = { email: 0, network: 0 };
const plain = (body: number): LeadPrint => ({ ...none, body, sender: body, text: 0, sketch: null });
const random = (number: number) => Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(number + 7, 0x85ebca6b);
const sketchOf = (number: number): Sketch => {
  const at = (part: number) =>
    Math.imul(random(number * 4 + part) ^ (random(number + part) >>> 13), 0xc2b2ae35);
  return [at(0), at(1), at(2), at(3)];
};
const written = (number: number, sketch = sketchOf(number)): LeadPrint => ({
  ...none,
  body: random(number),
  sender: number + 1,
  text: number,
  sketch,
});

test('however many forms there are, active ones are remembered and idle ones forgotten', () => {
  const memory = new RepeatMemory();
  memory.see('idle', plain(1), 0);
  memory.see('busy', plain(1), 0);
  for (let number = 0; number < 20_000; number++) {
    memory.see(`form ${number}`, plain(1), 0);
    if (number % 900 === 0) memory.see('busy', plain(2), 0);
  }
  expect(memory.see('busy', plain(1), 0).sameBody).toBe(1);
  expect(memory.see('idle', plain(1), 0).sameBody).toBe(0);
});

test('two thousand forms that are filled to the brim do not push out another one that receives a lead now and then', () => {
  const memory = new RepeatMemory();
  memory.see('neighbour', plain(1), 0);
  for (let number = 0; number < 2_000; number++) {
    for (let body = 0; body < 40; body++) memory.see(`form ${number}`, written(body), 0);
    if (number % 500 === 0) memory.see('neighbour', plain(number), 0);
  }
  expect(memory.see('neighbour', plain(1), 0).sameBody).toBe(1);
});

test('when all forms together need too much memory, idle ones are forgotten, and active ones are not', () => {
  const memory = new RepeatMemory(500 * kilobyte);
  const forms = Array.from({ length: 100 }, (_, number) => `form ${number}`);
  for (const formId of ['idle', 'busy', ...forms]) memory.see(formId, plain(1), 0);
  for (const [number, formId] of forms.entries()) {
    for (let lead = 0; lead < 130; lead++) memory.see(formId, written(lead), 0);
    if (number % 10 === 0) memory.see('busy', plain(2), 0);
  }
  expect(memory.see('busy', plain(1), 0).sameBody).toBe(1);
  expect(memory.see('idle', plain(1), 0).sameBody).toBe(0);
});

test('the memory of one form is bounded, whatever it receives', () => {
  const bodies = new BodyCounts();
  const texts = new TextMemory();
  const leads = new RecentLeads();
  for (let number = 0; number < 20_000; number++) {
    bodies.add(random(number), 0);
    texts.see(sketchOf(number), number, number, 0);
    leads.add(number, number, number, 0);
  }
  expect(bodies.bytes + texts.bytes + leads.bytes).toBeLessThanOrEqual(18 * kilobyte);
});

test('a busy form recognises a lead of hours ago', () => {
  const memory = new RepeatMemory();
  memory.see('a', plain(-5), 0);
  for (let number = 0; number < 400; number++) memory.see('a', plain(random(number)), number * 40_000);
  expect(memory.see('a', plain(-5), 5 * hourMs).sameBody).toBe(1);
});

test('neither copies nor variants of a lead push out others', () => {
  const memory = new RepeatMemory();
  memory.see('a', written(1), 0);
  const flood = sketchOf(2);
  for (let number = 0; number < 5_000; number++) {
    memory.see('a', { ...written(2), email: 9 }, 1_000);
    memory.see('a', { ...written(2), sender: 100 + number, text: number }, 1_000);
    memory.see('a', { ...written(3), body: 77 }, 1_000);
  }
  expect(memory.see('a', { ...written(1), sender: 3 }, 2_000)).toMatchObject({ sameBody: 1, sameText: 1 });
  expect(memory.see('a', written(50_000, flood), 2_000).nearText).toBe(32);
});

test('of a form that receives ever new leads, those that came repeatedly are remembered longest', () => {
  const memory = new RepeatMemory();
  for (let copy = 0; copy < 3; copy++) memory.see('a', plain(-5), copy);
  for (let sender = 1; sender < 4; sender++) memory.see('a', { ...written(-6), sender }, 0);
  for (let number = 0; number < 10_000; number++) memory.see('a', written(number), hourMs);
  expect(memory.see('a', plain(-5), hourMs).sameBody).toBe(3);
  expect(memory.see('a', { ...written(-6), sender: 9 }, hourMs).sameText).toBe(3);
});

test('a flood is remembered as long as it goes on', () => {
  const memory = new RepeatMemory();
  const arrive = (number: number, hours: number) =>
    memory.see('a', { ...written(2), sender: number + 1, text: number }, hours * hourMs);
  for (let number = 0; number < 40; number++) arrive(number, 0);
  const later = Array.from({ length: 200 }, (_, number) => arrive(40 + number, number / 10));
  expect(Math.min(...later.map(({ nearText }) => nearText))).toBe(32);
  expect(later.at(-1)?.sameBody).toBeGreaterThan(30);
});

test('the same text of the same sender is a copy and not a variant', () => {
  const memory = new RepeatMemory();
  memory.see('a', written(1), 0);
  expect(memory.see('a', written(1), 0)).toMatchObject({ sameBody: 1, ownText: 0, likeText: 0 });
  expect(memory.see('a', { ...written(1), text: 5 }, 0)).toMatchObject({ ownText: 1, likeText: 0 });
});

test('times beyond the year 2038 are compared correctly', () => {
  const memory = new RepeatMemory();
  const at = 2 ** 31 * 1_000;
  memory.see('a', written(1), at - hourMs);
  expect(memory.see('a', { ...written(1), sender: 3 }, at + hourMs)).toMatchObject({
    sameBody: 1,
    sameText: 1,
  });
  expect(memory.see('a', { ...written(1), sender: 4 }, at + 9 * hourMs)).toMatchObject({
    sameBody: 0,
    sameText: 0,
  });
});
