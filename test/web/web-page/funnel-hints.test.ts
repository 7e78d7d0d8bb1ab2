import { expect, test } from 'vitest';
import { hintOf, type OriginActivity, refusalsOf } from '../../../web/pages/web-page/funnel-hints.ts';

const activity = (values: Partial<OriginActivity>): OriginActivity => ({
  origin: 'https://www.example.com',
  challenged: 0,
  minted: 0,
  used: 0,
  accepted: 0,
  refused: {},
  last_at: null,
  ...values,
});

test.each<[Partial<OriginActivity>, RegExp | null]>([
  [{ challenged: 40, minted: 38, used: 37, accepted: 36 }, null],
  [{ challenged: 40 }, /never for a token/],
  [{ challenged: 40, refused: { challenge_failed: 40 } }, /solve none/],
  [{ challenged: 40, minted: 38 }, /send no lead/],
  [{ challenged: 40, minted: 38, used: 37 }, /none is accepted/],
  // A token that a backend signed needs no challenge.
  [{ used: 12, accepted: 12 }, null],
  // Too few to say anything.
  [{ challenged: 2 }, null],
])('a hint says where an origin stops: %j', (values, expected) => {
  const hint = hintOf(activity(values));
  if (expected === null) expect(hint).toBeNull();
  else expect(hint).toMatch(expected);
});

test('refused requests are added up over all origins, most frequent first', () => {
  const refusals = refusalsOf([
    activity({ origin: 'https://a.example.com', refused: { challenge_failed: 2, mint_limited: 3 } }),
    activity({ origin: '', refused: { origin_not_allowed: 9, mint_limited: 1 } }),
  ]);
  expect(refusals).toEqual([
    { reason: 'origin_not_allowed', count: 9, origins: [''] },
    { reason: 'mint_limited', count: 4, origins: ['https://a.example.com', ''] },
    { reason: 'challenge_failed', count: 2, origins: ['https://a.example.com'] },
  ]);
});
