import { expect, test } from 'vitest';
import { dayMs, minuteMs } from '../clock.ts';
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

test('after 30 wrong keys in a minute no key of that network is looked at, and after a minute they are again', () => {
  const { door: own, told } = door();
  guess(own, 29, 0);
  expect(own.judge(wrong, here, 1)).toEqual({ kind: 'wrong' });
  expect(own.judge(right, here, 2)).toEqual({ kind: 'limited', waitMs: minuteMs - 2 });
  expect(own.judge(right, elsewhere, 2)).toEqual({ kind: 'right' });
  expect(own.judge(right, here, minuteMs)).toEqual({ kind: 'right' });
  expect(told).toEqual(Array(30).fill(here.address));
});

test('somebody behind the same proxy as the operator cannot lock the operator out with a wrong key a second', () => {
  const { door: own } = door();
  expect(own.judge(right, here, 0)).toEqual({ kind: 'right' });
  for (let second = 0; second < 3600; second++) {
    own.judge(wrong, here, second * 1000);
    expect(own.judge(right, here, second * 1000)).toEqual({ kind: 'right' });
  }
});

test('where the right key was used, ten guesses a second are still the most', () => {
  const { door: own } = door();
  own.judge(right, here, 0);
  guess(own, 600, 1);
  expect(own.judge(right, here, 2)).toMatchObject({ kind: 'limited' });
  const later = 2 * dayMs;
  guess(own, 30, later);
  expect(own.judge(right, here, later)).toMatchObject({ kind: 'limited' });
});

test('no header, or something else than a key, is no guess', () => {
  const { door: own, told } = door();
  for (let i = 0; i < 100; i++) {
    expect(own.judge(undefined, here, 0)).toEqual({ kind: 'missing' });
    expect(own.judge('Basic YWRhOmFkYQ==', here, 0)).toEqual({ kind: 'missing' });
  }
  expect(told).toEqual([]);
  expect(own.judge(right, here, 0)).toEqual({ kind: 'right' });
});

test('guesses from a hundred thousand networks take a bounded memory, and the operator still gets in', () => {
  const guesses = new KeyGuesses();
  const own = new KeyDoor([key], guesses, () => {});
  for (let i = 0; i < 100_000; i++) own.judge(wrong, { address: `${i}`, network: `${i}` }, 0);
  expect(guesses.size).toBeLessThanOrEqual(10_000);
  expect(own.judge(right, here, 0)).toEqual({ kind: 'right' });
});
