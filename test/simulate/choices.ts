import fc from 'fast-check';
import { surfaces } from '../../src/domain/surface.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/time/clock.ts';

/**
 * What a sequence of operations is made of, as plain numbers, so that a failing one can be read. Small alphabets: the same
 * keys, signatures, ids and times come again and again. world.ts makes leads of them.
 */
/** The sizes of the alphabets, and frequencies. */
interface Size {
  readonly workspace: number;
  readonly key: number;
  /** One lead in this many has no key. */
  readonly keyed: number;
  readonly back: number;
  readonly bodies: number;
  readonly erasures: number;
  readonly flushes: number;
  /** About held requests. */
  readonly decisions: number;
}

const surface = fc.constantFrom(...surfaces);
const rarely = fc.integer({ min: 0, max: 14 }).map((n) => n === 14);
const sometimes = fc.integer({ min: 0, max: 3 }).map((n) => n === 3);

function choices(size: Size) {
  const workspace = fc.nat(size.workspace);
  const newLead = fc.record({
    workspace,
    surface,
    key: fc.option(fc.nat(size.key), { freq: size.keyed }),
    generation: fc.constantFrom(0, 0, 0, 1, 2),
    nextGeneration: fc.constantFrom(1, 2),
    signature: fc.option(fc.nat(3), { freq: 2 }),
    isClaimed: fc.boolean(),
    isSuspect: fc.boolean(),
    id: fc.nat(99),
    body: fc.nat(size.bodies),
    verdict: fc.constantFrom('clean', 'suspect', 'spam'),
    /** How long ago it was received. */
    ageMs: fc.constantFrom(0, 0, 0, 0, secondMs, minuteMs, 60 * minuteMs, dayMs - 1, dayMs, dayMs + 1),
    /** Includes what no sender can cause: a signature on the token surface, an id that does not follow from the key. */
    isWild: rarely,
  });

  /** An earlier lead, counted from the latest: a copy of it, or a retry that is received now. */
  const formerLead = fc.record({
    back: fc.nat(size.back),
    body: fc.option(fc.nat(2), { freq: 4 }),
    isReceivedNow: sometimes,
  });

  const lead = fc.oneof({ weight: 1, arbitrary: newLead }, { weight: 1, arbitrary: formerLead });
  /** On a first try, an id that is already stored fails the whole batch. */
  const mostlyNewLead = fc.oneof({ weight: 7, arbitrary: newLead }, { weight: 1, arbitrary: formerLead });

  const commit = fc.record({
    kind: fc.constant('commit' as const),
    leads: fc.array(mostlyNewLead, { minLength: 1, maxLength: 6 }),
    isRetry: sometimes,
    /** With the same key or signature twice in the batch, which the lane prevents. */
    hasDoubles: rarely,
  });
  const retry = fc.record({ kind: fc.constant('retry' as const), back: fc.nat(2), isRetry: fc.boolean() });
  const drain = fc.record({
    kind: fc.constant('drain' as const),
    leads: fc.array(lead, { minLength: 1, maxLength: 5 }),
  });
  const quarantine = fc.record({
    kind: fc.constant('quarantine' as const),
    lead: fc.oneof({ weight: 1, arbitrary: newLead }, { weight: 4, arbitrary: formerLead }),
    reason: fc.constantFrom('refused', 'other_body'),
    isRepeated: sometimes,
  });
  const sought = fc.record({ workspace, key: fc.option(fc.nat(size.key)), signature: fc.option(fc.nat(3)) });
  const find = fc.record({ kind: fc.constant('find' as const), sought: fc.array(sought, { maxLength: 4 }) });
  const expire = fc.record({
    kind: fc.constant('expire' as const),
    workspace,
    rowsMax: fc.constantFrom(1, 2, 1000),
  });
  const erase = fc.record({
    kind: fc.constant('erase' as const),
    back: fc.nat(size.back),
    isNext: fc.boolean(),
  });

  const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 3 });
  const counted = { minute: fc.nat(1), count: fc.integer({ min: 1, max: 9 }), lastMs: fc.nat(3) };
  const flush = fc.record({
    kind: fc.constant('flush' as const),
    instance: fc.nat(1),
    sequence: fc.nat(4),
    counts: few(
      fc.record({
        ...counted,
        workspace,
        surface,
        marked: fc.nat(3),
        outcome: fc.constantFrom('accepted', 'token_invalid'),
      }),
    ),
    entries: few(fc.record({ workspace, surface, id: fc.nat(20), atMs: fc.nat(3) })),
    notes: few(fc.record({ workspace, surface, id: fc.nat(20), atMs: fc.nat(3) })),
    unattributed: few(
      fc.record({ ...counted, surface, reason: fc.constantFrom('form_not_found', 'token_invalid') }),
    ),
    unattributedRequests: few(
      fc.record({ surface, atMs: fc.nat(3), requests: fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }) }),
    ),
    formerSecretUses: few(fc.record({ ...counted, workspace, overlap: fc.nat(1) })),
    clockDrifts: few(fc.record({ ...counted, workspace, bucket: fc.nat(4) })),
    formUses: few(
      fc.record({
        workspace,
        slug: fc.constantFrom('', 'former'),
        leadMs: fc.option(fc.nat(3)),
        verifiedMs: fc.option(fc.nat(3)),
      }),
    ),
    handlingTimes: few(fc.record({ ...counted, workspace, bucket: fc.nat(4) })),
    tokens: fc.uniqueArray(
      fc.record({
        token: fc.nat(1),
        atMs: fc.nat(3),
        addresses: fc.array(fc.record({ address: fc.nat(10), atMs: fc.constantFrom(0, 1, minuteMs) })),
      }),
      { selector: ({ token }) => token },
    ),
  });

  const hold = fc.record({
    kind: fc.constant('hold' as const),
    held: fc.uniqueArray(
      fc.record({
        workspace,
        id: fc.nat(30),
        body: fc.nat(size.bodies - 1),
        atMs: fc.constantFrom(-dayMs, -hourMs, -1, 0, 1),
        isProven: fc.boolean(),
        signature: fc.option(fc.nat(20), { freq: 2 }),
        key: fc.option(fc.nat(size.key), { freq: 2 }),
        keptMs: fc.constantFrom(minuteMs, 3 * dayMs, 3 * dayMs),
        bytes: fc.constantFrom(10, 10, 100, 3 * 1024 ** 2),
      }),
      { minLength: 1, maxLength: 6, selector: ({ id }) => id },
    ),
    missed: few(fc.record({ workspace, count: fc.integer({ min: 1, max: 9 }) })),
    /** Of the room that all workspaces share. */
    bytesMax: fc.constantFrom(50, 10 * 1024 ** 2),
  });

  /** Of those that were held last, in the workspace of the first. */
  const decision = {
    backs: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 5 }),
    selection: fc.option(fc.nat(1), { freq: 2 }),
  };
  const admit = fc.record({
    kind: fc.constant('admit' as const),
    ...decision,
    excludeTwins: fc.boolean(),
    deliver: fc.boolean(),
    /** The second id is that of a later use of the key. */
    nextGeneration: fc.constantFrom(1, 2),
    isUnknown: rarely,
  });
  const discard = fc.record({ kind: fc.constant('discard' as const), ...decision });

  const operation = fc.oneof(
    { weight: 10, arbitrary: commit },
    { weight: 3, arbitrary: retry },
    { weight: 6, arbitrary: drain },
    { weight: 2, arbitrary: quarantine },
    { weight: 1, arbitrary: find },
    { weight: 1, arbitrary: expire },
    { weight: size.erasures, arbitrary: erase },
    { weight: size.flushes, arbitrary: flush },
    { weight: 3 * size.flushes + 5 * size.decisions, arbitrary: hold },
    { weight: 6 * size.decisions, arbitrary: admit },
    { weight: 3 * size.decisions, arbitrary: discard },
  );
  return { newLead, formerLead, flush, hold, admit, discard, operation };
}

const wide = choices({
  workspace: 2,
  key: 3,
  keyed: 2,
  back: 7,
  bodies: 2,
  erasures: 3,
  flushes: 1,
  decisions: 0,
});
/** A few leads that are erased and come back repeatedly. */
const narrow = choices({
  workspace: 0,
  key: 1,
  keyed: 9,
  back: 2,
  bodies: 2,
  erasures: 7,
  flushes: 4,
  decisions: 0,
});
/** Rejected requests, whose keys, signatures and bodies leads have, too. */
const deciding = choices({
  workspace: 0,
  key: 1,
  keyed: 2,
  back: 4,
  bodies: 6,
  erasures: 2,
  flushes: 0,
  decisions: 2,
});

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type NewLead = ValueOf<typeof wide.newLead>;
export type FormerLead = ValueOf<typeof wide.formerLead>;
export type FlushChoice = ValueOf<typeof wide.flush>;
export type HoldChoice = ValueOf<typeof wide.hold>;
export type AdmitChoice = ValueOf<typeof wide.admit>;
export type DiscardChoice = ValueOf<typeof wide.discard>;
export type Operation = ValueOf<typeof wide.operation>;

/** How the clock moves before an operation: mostly not at all, otherwise up to or past the end of a window or a lifetime. */
const moveMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1, secondMs, minuteMs - 1, minuteMs, minuteMs + 1, hourMs),
  },
  { weight: 2, arbitrary: fc.constantFrom(dayMs - hourMs, dayMs - 1, dayMs, dayMs + 1) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-1, -secondMs, -minuteMs, -minuteMs - 1, -hourMs, -dayMs, -dayMs - 1),
  },
);

const steps = ({ operation }: typeof wide) =>
  fc.array(fc.record({ moveMs, operation }), { minLength: 12, maxLength: 28, size: 'max' });

const limits = fc.oneof(
  fc.constant({}),
  fc.record({ perMinuteMax: fc.integer({ min: 1, max: 6 }), perDayMax: fc.integer({ min: 1, max: 12 }) }),
  fc.constant({ keyLifetimeMs: minuteMs, perMinuteMax: 5 }),
);

export const decidingSequence = fc.record({ limits, steps: steps(deciding) });

export const sequence = fc.record({
  limits,
  steps: fc.oneof({ weight: 3, arbitrary: steps(wide) }, { weight: 1, arbitrary: steps(narrow) }),
});

export type Sequence = ValueOf<typeof sequence>;
