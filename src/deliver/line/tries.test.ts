import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Item } from '../../channels/channel.ts';
import type { DeliveryOutcome } from '../../db/deliver/deliver-database.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { placesOfKinds } from '../places.ts';
import { HealthBook } from './health-book.ts';
import { Latch } from './latch.ts';
import type { Batch } from './look.ts';
import { Tries } from './tries.ts';

const ref = { id: 'd', workspaceId: 'w' };
const delivered = {
  ...{ meaning: 'delivered', disables: null, isLeadRefused: false, status: 200, retryAfterMs: null },
  ...{ errorClass: null, error: null, head: null, ms: 1, sentTo: [] },
} as const;

test('a large digest leaves room for the outcomes of other lines', async () => {
  const clock = new SimulatedClock(0);
  const channel = { itemsMax: 1, atOnceMax: 1, send: async () => items.map(() => delivered) };
  const items = Array.from({ length: 450 }, (_, n) => ({ delivery: { id: `${n}`, attempts: 0 } }) as Item);
  const waiting: (() => void)[] = [];
  const written: string[] = [];
  const writer = {
    write: ({ deliveryId }: DeliveryOutcome) => {
      written.push(deliveryId);
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
  const deps = {
    ...{ clock, writer, places: placesOfKinds(), publicUrl: () => null, log: pino({ level: 'silent' }) },
    channels: { webhook: channel, email: channel, chat: channel, hubspot: channel },
    randomness: { fraction: () => 0 },
    meter: { onAttempt: () => {}, onUnsent: () => {} },
    aborting: new AbortController().signal,
    database: { saveHealth: async () => {}, disable: async () => true },
  };
  const latch = new Latch(clock);
  const tries = new Tries(ref, new HealthBook(ref, deps), latch, deps as never);
  await deps.places.chat.take(ref.workspaceId, () => 0, deps.aborting);
  const sent = tries.send(items, {
    destination: { kind: 'chat', version: 1, ...ref },
    isDigest: true,
  } as Batch);
  for (const count of [200, 200, 50]) {
    await expect.poll(() => waiting.length).toBe(count);
    for (const resolve of waiting.splice(0)) resolve();
  }
  await sent;
  expect(written).toEqual(items.map(({ delivery }) => delivery.id));
  expect([tries.unsettled.size, tries.sending, deps.places.chat.taken]).toEqual([0, 0, 0]);
});
