import { expect, test } from 'vitest';
import { JoinedBytes } from './joined-bytes.ts';

const text = Buffer.from('{"name":"Ada Lovelace","email":"ada@analytical.engine"}'.repeat(100));

test.each([[1], [7], [1_000], [1_023], [1_024], [3_000], [1, 2_000], [1_500, 3, 5]])(
  'pieces of %i, %i and %i bytes are joined in order',
  (...sizes) => {
    const joined = new JoinedBytes();
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length] as number;
      joined.add(text.subarray(at, at + size));
      at += size;
    }
    expect(joined.length).toBe(text.length);
    expect(joined.join()).toEqual(text);
  },
);

test('no small piece is kept, and a large one is not copied', () => {
  const joined = new JoinedBytes();
  const piece = Buffer.from('a');
  for (let times = 0; times < 5_000; times++) {
    piece.fill('a');
    joined.add(piece);
    piece.fill('b');
  }
  expect(joined.join().toString()).toBe('a'.repeat(5_000));
  const large = new JoinedBytes();
  large.add(text);
  expect(large.join()).toBe(text);
});

test('after it was cleared, it is empty and can be filled again', () => {
  const joined = new JoinedBytes();
  expect(joined.join()).toHaveLength(0);
  for (const piece of ['a', 'b', 'c']) joined.add(Buffer.from(piece));
  joined.clear();
  expect([joined.length, joined.join().length]).toEqual([0, 0]);
  joined.add(Buffer.from('d'));
  expect(joined.join().toString()).toBe('d');
});
