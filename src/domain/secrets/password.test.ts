import { expect, test } from 'vitest';
import { passwordProblem } from './password.ts';

const common = new Set(['qwertyuiop', 'welcome', 'password', 'dragon', 'letmein', 'christopher']);
const ada = { email: 'ada.lovelace@example.com', name: 'Ada King-Noël' };
const problem = (password: string) => passwordProblem(password, ada, common);

test.each(['seven wet umbrellas', 'Tr0ub4dor&3xyz', 'пароль-которого-нет'])(
  'the password %j is accepted',
  (password) => expect(problem(password)).toBeNull(),
);

test('length counts characters as people see them, not code units', () => {
  expect(problem('🦊🐻🐼🦁🐯🐨🐸🐵🐔')).toBe('must have at least 10 characters');
  expect(problem('🦊🐻🐼🦁🐯🐨🐸🐵🐔🐧')).toBeNull();
  expect(problem(`${'abcde '.repeat(21)}ab`)).toBeNull();
  expect(problem(`${'abcde '.repeat(21)}abc`)).toBe('must have at most 128 characters');
});

test.each([
  'QwertyUIOP',
  'Welcome2026!',
  'welcome12345',
  'Password123',
  'password123!!',
  'P@$$w0rd2026',
  '!!dragon1999',
  'dragondragon',
  'let me in 123',
  'ｐａｓｓｗｏｒｄ１２３',
  'Chr1st0ph3r',
  '12345678910',
  '1qaz2wsx3edc',
  'a123456789',
  '1q2w3e4r5t',
  '0102030405',
  '9988776655',
  'qwertyuiopasdf',
  'abcdefg123456',
  '0987654321',
  'zxcvbnm,./',
])('the password %s is too common', (password) => expect(problem(password)).toBe('is too common'));

test.each(['ada.lovelace', 'Ada.Lovelace1815', 'my ada.lovelace@example.com'])(
  'the password %s is based on the email address',
  (password) => expect(problem(password)).toBe('must not be based on your email address'),
);

test.each(['abcabcabcabc', 'blingbling', 'Xk4!zXk4!z'])(
  'the password %s repeats a few characters',
  (password) => {
    expect(problem(password)).toBe('repeats the same few characters');
  },
);

test.each(['kingnoël1852!', 'Ada Ada Ada 12', 'noel-king-ada', 'Ada King-Noël', '1815 ada 1852'])(
  'the password %s is based on the name',
  (password) => expect(problem(password.replace('noel', 'noël'))).toBe('must not be based on your name'),
);

test.each(['adaptable owls', 'kingfisher at noon', '84kd02js71', 'qwerty had a lamb'])(
  'the password %s only resembles a name, a keyboard pattern or a common password',
  (password) => expect(problem(password)).toBeNull(),
);
