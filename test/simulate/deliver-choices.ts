import fc from 'fast-check';

/** What happens to deliveries, as plain numbers, so that a failing sequence can be read. */
const destination = fc.nat(2);
const instance = fc.nat(1);
const pick = fc.double({ min: 0, max: 0.999, noNaN: true });
const ms = fc.constantFrom(0, 1, 5_000, 15_000, 60_000);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      leads: fc.integer({ min: 1, max: 3 }),
      verdict: fc.constantFrom('clean', 'spam'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('relay' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('alarm' as const),
      workspace: fc.nat(1),
      destination: fc.option(destination),
      // 0 stands for the whole workspace.
      forms: fc.array(fc.nat(2), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      instance,
      countMax: fc.constantFrom(1, 64),
      isFull: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew' as const), instance }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      instance,
      destination,
      freeMs: ms,
      wakeMs: fc.option(ms),
      digestMs: fc.option(ms),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('due' as const),
      destination,
      limit: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('outcome' as const),
      pick,
      state: fc.constantFrom('pending', 'delivered', 'dead', 'skipped', 'cancelled'),
      isStale: fc.constantFrom(false, false, false, true),
      isTried: fc.boolean(),
      nextMs: ms,
      sentTo: fc.constantFrom([], [], ['a'], ['a', 'b']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('health' as const),
      destination,
      failures: fc.nat(12),
      version: fc.constantFrom(1, 1, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('disable' as const),
      destination,
      version: fc.constantFrom(1, 2),
      reason: fc.constantFrom('gone', 'failing'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('count' as const),
      destination,
      sinceMs: ms,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('try again' as const), destination }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), workspace: fc.nat(1) }) },
);
export type DeliverOperation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
export const deliverSteps = fc.array(
  fc.record({ moveMs: fc.constantFrom(1, 10, 5_000, 20_000), operation }),
  {
    minLength: 15,
    maxLength: 35,
    size: 'max',
  },
);
