import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Missed, NewHeld } from '../../db/held/held-database.ts';
import { BodyHashes } from '../../domain/lead/body-hash.ts';
import { deriveIdRoot } from '../../domain/secrets/id-root.ts';
import { SecretBox } from '../../domain/secrets/secret-box.ts';
import { RealClock } from '../../time/real-clock.ts';
import type { FormEntry } from '../directory/directory.ts';
import { HeldCaps } from './held-caps.ts';
import { HeldWriter } from './held-writer.ts';
import { MissedCounts } from './missed-counts.ts';
import { sizeOf, WaitingHeld, type WaitingRequest } from './waiting-held.ts';

const key = 'encryption-key-of-the-tests-0123456789';
const noHeaders = {
  timestamp: undefined,
  signature: undefined,
  contentType: undefined,
  idempotencyKey: undefined,
};

function request(isProven: boolean, body: Buffer): WaitingRequest {
  return {
    id: randomUUID(),
    form: { id: randomUUID(), workspaceId: randomUUID(), slug: 'a' } as FormEntry,
    tokenId: null,
    surface: 'webhook',
    reason: isProven ? 'form_inactive' : 'signature_mismatch',
    isProven,
    at: 0,
    requestId: '',
    sentAs: null,
    headers: noHeaders,
    body,
    expiresAt: 1,
    size: sizeOf(noHeaders, body),
  };
}

/** Passes only when a test says so. */
class StandingClock extends RealClock {
  ms = 0;

  override monotonic(): number {
    return this.ms;
  }
}

/** A writer to a database that refuses some rows. */
function setUp(isRefused: (held: NewHeld) => boolean = () => false) {
  const clock = new StandingClock();
  const parts = { waiting: new WaitingHeld(), missed: new MissedCounts(), caps: new HeldCaps() };
  const written: NewHeld[] = [];
  const counted: Missed[] = [];
  const writer = new HeldWriter({
    ...parts,
    clock,
    database: {
      bucketOf: () => 0,
      readHeldBytes: async () => ({ proven: 0, unproven: 0 }),
      async hold(held, missed) {
        if (held.some(isRefused)) throw Object.assign(new Error('refused'), { code: '23514' });
        written.push(...held);
        counted.push(...missed);
        return held.map(() => 'kept');
      },
    },
    secretBox: new SecretBox(key),
    bodyHashes: new BodyHashes(deriveIdRoot(key)),
    meter: { onHeld() {}, onNotHeld() {} },
    log: pino({ level: 'silent' }),
    bytesMax: 1024 ** 3,
    onFull() {},
  });
  return { writer, clock, written, counted, ...parts };
}

test('what was missed is counted even if it comes with a request that is refused', async () => {
  const { writer, waiting, missed, written, counted } = setUp(({ bodyBytes }) => bodyBytes === 1);
  waiting.add(request(true, Buffer.from('{}')));
  waiting.add(request(true, Buffer.from('1')));
  const { workspaceId } = request(true, Buffer.alloc(0)).form;
  missed.add(workspaceId, 0);
  await writer.flush();
  await writer.flush();
  expect(written.map(({ bodyBytes }) => bodyBytes)).toEqual([2]);
  expect(counted.find((one) => one.workspaceId === workspaceId)).toMatchObject({ count: 1 });
  expect(waiting.bytes).toBe(0);
});

test('a flood of unproven requests does not keep proven ones waiting', async () => {
  const { writer, clock, waiting, written } = setUp();
  const flood = () => {
    for (;;) {
      const next = request(false, randomBytes(100_000));
      if (!waiting.hasRoom(false, next.form.workspaceId, next.size)) return;
      waiting.add(next);
    }
  };
  // Until no more may be written for now.
  for (let last = -1; last < written.length; ) {
    last = written.length;
    flood();
    await writer.flush();
  }
  flood();
  const proven = request(true, Buffer.from('{}'));
  waiting.add(proven);
  clock.ms += 2_000;
  const before = written.length;
  await writer.flush();
  expect(written[before]?.id).toBe(proven.id);
});
