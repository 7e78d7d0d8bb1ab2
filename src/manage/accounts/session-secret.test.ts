import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { resignedCookies, sessionSecret } from './session-secret.ts';

const name = 'leadgate_session';
const [current, previous, foreign] = ['c', 'p', 'f'].map((letter) => sessionSecret(letter.repeat(32))) as [
  string,
  string,
  string,
];
const cookie = (secret: string, token = 'a-token') =>
  `${name}=${encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`)}`;
const resigned = (header: string) => resignedCookies(header, name, current, [previous]);

test('a cookie signed with the previous key is signed with the current one; other cookies stay the same', () => {
  expect(resigned(`theme=dark; ${cookie(previous)}; a=b`)).toBe(`theme=dark; ${cookie(current)}; a=b`);
});

test('without a previous key nothing is signed again', () => {
  expect(resignedCookies(cookie(previous), name, current, [])).toBe(cookie(previous));
});

test.each([
  ['signed with the current key', cookie(current)],
  ['signed with a key that is not here', cookie(foreign)],
  ['with the token of another', cookie(previous).replace('a-token', 'b-token')],
  ['without a signature', `${name}=a-token`],
  ['with an empty signature', `${name}=a-token.`],
  ['empty', `${name}=`],
  ['that is no valid text', `${name}=%E0%A4%A`],
  ['of another name', `x${cookie(previous)}`],
  ['only second to one that counts', `${name}=first; ${cookie(previous)}`],
  ['missing', 'theme=dark'],
])('a cookie %s stays the same', (_, header) => {
  expect(resigned(header)).toBe(header);
});
