import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { passwordProblem } from '../../../domain/secrets/password.ts';
import { Problem } from '../../calls/problem.ts';
import { requireGoodPassword } from './common-passwords.ts';

const person = { email: 'zoe@example.com', name: 'Zoe Quist' };
const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'));

const long = list.filter((password) => [...password].length >= 10);
const words = new Set(list);
/** The rule alone: a hundred thousand errors with their stacks take half a minute. */
const accepted = (passwords: readonly string[]) =>
  passwords.filter((password) => passwordProblem(password, person, words) === null);

function isRefused(password: string): boolean {
  try {
    requireGoodPassword(password, person, 'password');
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return true;
  }
}

test('the list is sorted, in lower case and in one form of Unicode, so that every entry is found', () => {
  expect(list.length).toBeGreaterThan(14_000);
  expect(list).toEqual([...new Set(list)].sort());
  expect(list.filter((word) => word !== word.normalize('NFKC').toLowerCase())).toEqual([]);
});

test('the 10,000 most common passwords of ten characters or more are refused', () => {
  expect(long.length).toBeGreaterThanOrEqual(10_000);
  expect(accepted(long)).toEqual([]);
});

test('common endings do not make a common word a good password', () => {
  const endings = ['1', '12', '123', '1234', '123!', '2026', '2026!'];
  // Each word with one of the endings, and so each ending with a seventh of the words.
  const made = list.map((word, place) => word + endings[place % endings.length]);
  expect(accepted(made.filter(({ length }) => length >= 10))).toEqual([]);
});

test.each([
  // The first and the last stand for the whole list being read.
  long[0] as string,
  long.at(-1) as string,
  'iloveyou123',
  'Football2024',
  'qwerty123456',
  '147258369a',
  '123qweasdzxc',
  'MICHAEL123',
  'P@ssw0rd123',
  'christopher1',
  'counterstrike',
  'zaq12wsxcde3',
  'Zoe Quist 1990',
  'quistquist99',
  'zoe@example.com',
])('the common password %s is refused', (password) => {
  expect(isRefused(password)).toBe(true);
});

test.each(['seven wet umbrellas', 'nine blue umbrellas', 'gravel-tulip-anvil', 'kXq9!vR2mZ'])(
  'the password %s is accepted',
  (password) => {
    expect(isRefused(password)).toBe(false);
  },
);
