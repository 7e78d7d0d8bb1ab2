import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { heldWish } from '../held/held-caps.ts';
import type { HostLink } from '../siblings/link.ts';
import { askHostOver, CapCounts, CapService, entryDayCaps, hostCapsOver } from './host-caps.ts';
import { WaitingEntries, type WaitingEntry } from './waiting-entries.ts';

type Handle = (content: unknown) => unknown;

function askingLink(handle: (topic: string) => Handle): HostLink {
  return {
    ask: async (topic, content) => handle(topic)(structuredClone(content)),
    tell() {},
    onTell() {},
    onAsk() {},
  };
}

/** What waits in a worker whose workspace had this many rejections of one reason. */
function waiting(count: number, at: number, limit: WaitingEntry['limit'], isProven = true): WaitingEntries {
  const entries = new WaitingEntries();
  for (let n = 0; n < count; n++) {
    const ids = { workspaceId: 'workspace', formId: 'form', tokenId: null, requestId: '', id: `${n}` };
    const when = { at: new Date(at).toISOString(), surface: 'webhook', shard: 0, detail: {} } as const;
    entries.add({ ...ids, ...when, reason: 'signature_mismatch', limit, isProven });
  }
  return entries;
}

async function written(entries: WaitingEntries, link: HostLink) {
  let count = 0;
  while (!entries.isEmpty) {
    entries.beginFlush();
    await entries.keepWithinCaps(hostCapsOver(link, systemClock));
    count += entries.flushed.length;
    entries.endFlush();
  }
  return count;
}

function hostLink(): HostLink {
  const handles = new Map<string, Handle>();
  const onAsk = (topic: string, handle: Handle) => handles.set(topic, handle);
  for (const kind of [undefined, entryDayCaps])
    new CapService({ clock: systemClock, ...(kind && { kind }) }).join(1, { onAsk } as unknown as HostLink);
  return askingLink((topic) => handles.get(topic) ?? (() => []));
}

test('beyond a day, workers of a host together write 20 rejections per reason and minute', async () => {
  const link = hostLink();
  expect(await written(waiting(12, 0, 'minute'), link)).toBe(12);
  expect(await written(waiting(20, 0, 'minute'), link)).toBe(8);
  expect(await written(waiting(20, minuteMs, 'minute'), link)).toBe(20);
  expect(await written(waiting(3, 0, 'minute'), link)).toBe(0);
});

test('workers of a host together write 20,000 rejections of a workspace and day, then 20 per reason and minute', async () => {
  const link = hostLink();
  for (let worker = 0; worker < 3; worker++)
    expect(await written(waiting(6_000, 0, 'day'), link)).toBe(6_000);
  expect(await written(waiting(3_000, 0, 'day'), link)).toBe(2_020);
  expect(await written(waiting(3_000, 0, 'day'), link)).toBe(0);
  expect(await written(waiting(3_000, minuteMs, 'day'), link)).toBe(20);
  expect(await written(waiting(3_000, dayMs, 'day'), link)).toBe(3_000);
});

test('of these, 10,000 are without proof of their sender', async () => {
  const link = hostLink();
  for (let worker = 0; worker < 3; worker++)
    expect(await written(waiting(3_000, 0, 'day', false), link)).toBe(3_000);
  expect(await written(waiting(3_000, 0, 'day', false), link)).toBe(1_020);
  expect(await written(waiting(6_000, 0, 'day'), link)).toBe(6_000);
});

test('workers of a host together keep 100 unproven requests of a workspace a minute, and 20 of a form an hour that are no leads', async () => {
  const askHost = askHostOver(hostLink(), systemClock);
  const allowed = async (count: number, kind: 'C' | 'D', formId: string, at: number) => {
    const wish = heldWish({ class: kind, workspaceId: 'workspace', formId, at });
    const answers = await askHost(Array.from({ length: count }, () => wish ?? []));
    return answers.filter(Boolean).length;
  };
  expect(await allowed(70, 'D', 'one form', 0)).toBe(70);
  expect(await allowed(70, 'D', 'another form', 0)).toBe(30);
  expect(await allowed(70, 'D', 'one form', minuteMs)).toBe(70);
  expect(await allowed(15, 'C', 'one form', 0)).toBe(15);
  expect(await allowed(15, 'C', 'one form', minuteMs)).toBe(5);
  expect(await allowed(15, 'C', 'another form', minuteMs)).toBe(15);
  expect(await allowed(15, 'C', 'one form', hourMs)).toBe(15);
  expect(heldWish({ class: 'A', workspaceId: 'workspace', formId: 'one form', at: 0 })).toBeNull();
});

test('workers of a host together keep 60 requests of a form without script an hour, whatever their class', async () => {
  const askHost = askHostOver(hostLink(), systemClock);
  const allowed = async (count: number, kind: 'A' | 'B', formId: string, at: number) => {
    const wish = heldWish({ class: kind, workspaceId: 'workspace', formId, isNoScript: true, at });
    const answers = await askHost(Array.from({ length: count }, () => wish ?? []));
    return answers.filter(Boolean).length;
  };
  expect(await allowed(40, 'A', 'one form', 0)).toBe(40);
  expect(await allowed(40, 'B', 'one form', minuteMs)).toBe(20);
  expect(await allowed(40, 'A', 'another form', 0)).toBe(40);
  expect(await allowed(61, 'A', 'one form', hourMs)).toBe(60);
});

test('a worker whose supervisor is gone writes what its own limits allow', async () => {
  const link = askingLink(() => () => Promise.reject(new Error('gone')));
  expect(await written(waiting(20, 0, 'minute'), link)).toBe(20);
  expect(await written(waiting(4_000, 0, 'day'), link)).toBe(4_000);
});

test('counters that anyone can cause have a limit, and the newest of them are known', () => {
  const kind = { topic: '', keptMs: hourMs, namesMax: 100 };
  const counts = new CapCounts(kind, systemClock);
  for (let n = 0; n < 10_000; n++) counts.take([[`name ${n}`, 1]]);
  const known = Array.from({ length: 10_000 }, (_, n) => counts.countOf(`name ${n}`));
  expect(known.filter((count) => count > 0).length).toBeLessThanOrEqual(200);
  expect(known.slice(-100)).toEqual(Array(100).fill(1));
});
