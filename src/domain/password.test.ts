import { expect, test } from 'vitest';
import { passwordFault } from './password.ts';

const common = new Set(['qwertyuiop', 'welcome', 'password']);
const fault = (password: string) => passwordFault(password, 'ada.lovelace@example.com', common);

test.each(['seven wet umbrellas', 'Tr0ub4dor&3xyz', 'пароль-которого-нет'])(
  'the password %j is good enough',
  (password) => expect(fault(password)).toBeNull(),
);

test('length counts characters as people see them, not the pieces they are stored in', () => {
  expect(fault('🦊🐻🐼🦁🐯🐨🐸🐵🐔')).toBe('must have at least 10 characters');
  expect(fault('🦊🐻🐼🦁🐯🐨🐸🐵🐔🐧')).toBeNull();
  expect(fault(`${'abcde '.repeat(21)}ab`)).toBeNull();
  expect(fault(`${'abcde '.repeat(21)}abc`)).toBe('must have at most 128 characters');
});

test.each(['QwertyUIOP', 'Welcome2026!', 'welcome12345', 'Password123', 'password123!!'])(
  'the password %s is one that is guessed first',
  (password) => expect(fault(password)).toBe('is one of those that are guessed first'),
);

test.each(['ada.lovelace', 'Ada.Lovelace1815', 'my ada.lovelace@example.com'])(
  'the password %s is made of the email address',
  (password) => expect(fault(password)).toBe('must not be made of the email address'),
);

test('a password of a few characters again and again is refused', () => {
  expect(fault('abcabcabcabc')).toBe('repeats the same few characters');
});
