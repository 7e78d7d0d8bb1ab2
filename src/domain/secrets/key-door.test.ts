import { expect, test } from 'vitest';
import { minuteMs } from '../../time/clock.ts';
import { KeyDoor, KeyGuesses } from './key-door.ts';

const key = 'the-operator-key-of-these-tests-0123';
const right = `Bearer ${key}`;
const wrong = 'Bearer a-guess';
const here = { address: '198.51.100.7', network: '198.51.100.7' };
const elsewhere = { address: '203.0.113.9', network: '203.0.113.9' };

function door() {
  const told: string[] = [];
  return { told, door: new KeyDoor([key], new KeyGuesses(), (address) => told.push(address)) };
}

function guess(at: KeyDoor, count: number, now: number): void {
  for (let i = 0; i < count; i++) at.judge(wrong, here, now);
}

test('after 100 wrong keys in a minute, further ones from that network must wait and are not reported', () => {
  const { door: own, told } = door();
  guess(own, 99, 0);
  expect(own.judge(wrong, here, 1)).toEqual({ kind: 'wrong' });
  expect(own.judge(wrong, here, 2)).toEqual({ kind: 'limited', waitMs: minuteMs - 2 });
  expect(own.judge(wrong, elsewhere, 2)).toEqual({ kind: 'wrong' });
  expect(own.judge(wrong, here, minuteMs)).toEqual({ kind: 'wrong' });
  expect(told).toEqual([...Array(100).fill(here.address), elsewhere.address, here.address]);
});

test('no flood of wrong keys from the same network locks the operator out', () => {
  const { door: own } = door();
  guess(own, 1_000, 0);
  expect(own.judge(wrong, here, 1)).toMatchObject({ kind: 'limited' });
  expect(own.judge(right, here, 1)).toEqual({ kind: 'right' });
});

test('a missing header, or one that is not a key, does not count as a guess', () => {
  const { door: own, told } = door();
  for (let i = 0; i < 100; i++) {
    expect(own.judge(undefined, here, 0)).toEqual({ kind: 'missing' });
    expect(own.judge('Basic YWRhOmFkYQ==', here, 0)).toEqual({ kind: 'missing' });
  }
  expect(told).toEqual([]);
  expect(own.judge(right, here, 0)).toEqual({ kind: 'right' });
});

test('guesses from a hundred thousand networks take bounded memory, and the operator still gets in', () => {
  const guesses = new KeyGuesses();
  const own = new KeyDoor([key], guesses, () => {});
  for (let i = 0; i < 100_000; i++) own.judge(wrong, { address: `${i}`, network: `${i}` }, 0);
  expect(guesses.size).toBeLessThanOrEqual(10_000);
  expect(own.judge(right, here, 0)).toEqual({ kind: 'right' });
});
