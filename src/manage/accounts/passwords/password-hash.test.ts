import { expect, test } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

const cheap = { memory: 8, passes: 1, parallelism: 1 };

test('only the right password matches its hash', async () => {
  const hasher = new PasswordHasher(cheap);
  const stored = await hasher.hash('seven wet umbrellas');
  expect(await hasher.verify(stored, 'seven wet umbrellas')).toBe(true);
  expect(await hasher.verify(stored, 'seven wet umbrella')).toBe(false);
  expect(await hasher.hash('seven wet umbrellas')).not.toBe(stored);
});

test('a hasher uses the OWASP cost by default, and checks hashes that were stored at another cost', async () => {
  const hasher = new PasswordHasher();
  expect(await hasher.hash('seven wet umbrellas')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const stored = await new PasswordHasher(cheap).hash('seven wet umbrellas');
  expect(await hasher.verify(stored, 'seven wet umbrellas')).toBe(true);
});

test('the same letters typed in another way are the same password', async () => {
  const hasher = new PasswordHasher(cheap);
  const stored = await hasher.hash('cafe\u0301 au lait');
  expect(await hasher.verify(stored, 'caf\u00e9 au lait')).toBe(true);
});

test('passwords are hashed one at a time, and refused when too many are waiting', async () => {
  const hasher = new PasswordHasher(cheap);
  const order: number[] = [];
  const crowd = Array.from({ length: 40 }, (_, i) => hasher.hash(`password ${i}`).then(() => order.push(i)));
  const ended = await Promise.allSettled(crowd);
  const sentAway = ended.filter(({ status }) => status === 'rejected');
  expect(sentAway).toHaveLength(8);
  for (const away of sentAway) expect(away).toMatchObject({ reason: { code: 'too_many_requests' } });
  expect(order).toEqual(Array.from({ length: 32 }, (_, i) => i));
  expect(await hasher.hash('after the crowd')).toMatch(/^\$argon2id\$/);
});

test('a hash of an unknown kind is an error, not a wrong password', async () => {
  await expect(new PasswordHasher().verify('$2b$10$abc', 'x')).rejects.toThrow('unknown format');
});
