import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { heldWish } from '../held/held-caps.ts';
import type { HostLink } from '../siblings/link.ts';
import { askHostOver, CapCounts, CapService } from './host-caps.ts';
import { OutcomeTally } from './outcome-tally.ts';

type Handle = (content: unknown) => unknown;

function askingLink(handle: () => Handle): HostLink {
  return {
    ask: async (_, content) => handle()(structuredClone(content)),
    tell() {},
    onTell() {},
    onAsk() {},
  };
}

/** The tally of a worker whose workspace had this many rejections of one reason. */
function tallyOf(count: number, name: string, at: number): OutcomeTally {
  const tally = new OutcomeTally();
  for (let n = 0; n < count; n++) {
    const ids = { workspaceId: 'workspace', formId: 'form', tokenId: null, requestId: '' };
    const when = { at: new Date(at).toISOString(), surface: 'webhook', shard: 0, detail: {} } as const;
    tally.entry({ ...ids, ...when, id: `${name} ${n}`, reason: 'signature_mismatch' });
  }
  return tally;
}

async function written(tally: OutcomeTally, link: HostLink) {
  await tally.keepWithinCaps(askHostOver(link, systemClock));
  return tally.toFlush().entries.length;
}

function hostLink(): HostLink {
  let handle: Handle = () => [];
  const service = new CapService({ clock: systemClock });
  service.join(1, { onAsk: (_: string, given: Handle) => (handle = given) } as unknown as HostLink);
  return askingLink(() => handle);
}

test('workers of a host together write 20 rejections per reason and minute', async () => {
  const link = hostLink();
  expect(await written(tallyOf(12, 'first worker', 0), link)).toBe(12);
  expect(await written(tallyOf(20, 'second worker', 0), link)).toBe(8);
  expect(await written(tallyOf(20, 'first worker', minuteMs), link)).toBe(20);
  expect(await written(tallyOf(3, 'late worker', 0), link)).toBe(0);
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
  expect(await written(tallyOf(20, 'worker', 0), link)).toBe(20);
});

test('counters that anyone can cause have a limit, and the newest of them are known', () => {
  const kind = { topic: '', keptMs: hourMs, namesMax: 100 };
  const counts = new CapCounts(kind, systemClock);
  for (let n = 0; n < 10_000; n++) counts.take([[`name ${n}`, 1]]);
  const known = Array.from({ length: 10_000 }, (_, n) => counts.countOf(`name ${n}`));
  expect(known.filter((count) => count > 0).length).toBeLessThanOrEqual(200);
  expect(known.slice(-100)).toEqual(Array(100).fill(1));
});
