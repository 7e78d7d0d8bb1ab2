import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeEntry } from '../../src/ingest/spool/entry.ts';
import { readSegment } from '../../src/ingest/spool/segment.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';

/** Every kind of damage to spools that the service has written. */
let world: OutageWorld;
let sender: Sender;

const bodies = Array.from({ length: 4 }, (_, n) => JSON.stringify({ n, notes: 'ü'.repeat(40 + n) }));

beforeAll(async () => {
  world = await OutageWorld.create();
});
afterAll(() => world.close());

function segmentPaths(): string[] {
  const spool = join(world.dataDir, 'spool');
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .toSorted()
    .map((name) => join(spool, name));
}

/** Leaves the spool of a service that accepted leads during an outage and exited. */
async function spooled(leads: readonly string[]): Promise<void> {
  const service = await world.start();
  sender = await createSender(service);
  await world.outage.begin();
  for (const body of leads) expect((await post(service, sender, 'server', body)).status).toBe(202);
  await world.stop(service);
}

async function drainedNumbers(): Promise<number[]> {
  await world.outage.end();
  const service = await world.start();
  await world.recover(service);
  const leads: { fields: { n: number } }[] = await leadsOf(service, sender);
  await world.stop(service);
  return leads.map(({ fields }) => fields.n).toSorted();
}

function bodiesIn(segment: Buffer): (string | undefined)[] {
  return readSegment(segment).records.map(({ payload }) => decodeEntry(payload)?.body.toString());
}

describe('a spool of the service, damaged anywhere in its last two leads', () => {
  let bytes: Buffer;
  let starts: number[];

  beforeAll(async () => {
    await spooled(bodies);
    // One segment, unless the drain was running when the first lead came.
    bytes = Buffer.concat(segmentPaths().map((path) => readFileSync(path)));
    starts = [0, ...readSegment(bytes).records.map(({ end }) => end)];
  });
  afterAll(drainedNumbers);

  test('is whole before it is damaged', () => {
    expect(bodiesIn(bytes)).toEqual(bodies);
    expect(starts.at(-1)).toBe(bytes.length);
  });

  test('cut at any length, returns exactly the complete leads, and counts one torn end', () => {
    for (let length = starts[2] as number; length < bytes.length; length++) {
      const whole = length < (starts[3] as number) ? 2 : 3;
      const cut = bytes.subarray(0, length);
      expect(bodiesIn(cut)).toEqual(bodies.slice(0, whole));
      const isBetween = length === starts[whole];
      expect(readSegment(cut).damages.map(({ isTorn }) => isTorn)).toEqual(isBetween ? [] : [true]);
    }
  });

  test('with any byte flipped, returns every other lead byte for byte, and counts one damaged part', () => {
    for (let at = starts[2] as number; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      const hit = at < (starts[3] as number) ? 2 : 3;
      expect(bodiesIn(flipped)).toEqual(bodies.toSpliced(hit, 1));
      expect(readSegment(flipped).damages).toHaveLength(1);
    }
  });
});

test('an empty segment, garbage after the last lead, and foreign files hold back no lead', async () => {
  await spooled(bodies);
  const [path = ''] = segmentPaths();
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(4096), Buffer.from('rubbish')]));
  writeFileSync(join(path, '../00000000000000009999.log'), '');
  writeFileSync(join(path, '../notes.txt'), 'not ours');
  writeFileSync(join(path, '../../notes.txt'), 'not ours');
  expect(await drainedNumbers()).toEqual([0, 1, 2, 3]);
  rmSync(join(world.dataDir, 'spool'), { recursive: true });
});

test('swapped segments and a missing one lose no lead that still exists', async () => {
  await spooled(bodies.slice(0, 2));
  const [first = ''] = segmentPaths();
  const whole = readFileSync(first);
  const { records } = readSegment(whole);
  const middle = records[0]?.end ?? 0;
  // The second lead in a separate segment, named as if it were older; the first one after a gap in the numbers.
  writeFileSync(first, whole.subarray(middle));
  const later = join(first, '../00000000000000000777.log');
  writeFileSync(`${later}.new`, whole.subarray(0, middle));
  renameSync(`${later}.new`, later);
  expect(await drainedNumbers()).toEqual([0, 1]);
});
