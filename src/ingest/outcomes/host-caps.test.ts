import { expect, test } from 'vitest';
import { minuteMs } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import type { HostLink } from '../siblings/link.ts';
import { askHostOver, CapService } from './host-caps.ts';
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

/** The tally of a worker whose workspace had this many rejections of one reason, all with their requests. */
function tallyOf(count: number, name: string, at: number): OutcomeTally {
  const tally = new OutcomeTally();
  const request = { timestamp: null, signature: null, contentType: null, bodyBytes: 0, body: null };
  for (let n = 0; n < count; n++) {
    const id = `${name} ${n}`;
    const ids = { workspaceId: 'workspace', formId: 'form', tokenId: null, requestId: '' };
    const when = { at: new Date(at).toISOString(), surface: 'webhook', shard: 0, detail: {} } as const;
    tally.entry({ ...ids, ...when, id, reason: 'signature_mismatch' });
    tally.keep({ rejectionId: id, workspaceId: 'workspace', formId: 'form', slug: '', at, request });
  }
  return tally;
}

async function written(tally: OutcomeTally, link: HostLink) {
  await tally.keepWithinCaps(askHostOver(link, systemClock));
  const { entries, rejectedRequests } = tally.toFlush(({ rejectionId }) => ({ rejectionId }) as never);
  expect(entries.map(({ id }) => id)).toEqual(
    expect.arrayContaining(rejectedRequests.map(({ rejectionId }) => rejectionId)),
  );
  return [entries.length, rejectedRequests.length];
}

test('workers of a host together write 20 rejections per reason and minute, and keep 5 requests', async () => {
  let handle: Handle = () => [];
  const service = new CapService({ clock: systemClock });
  service.join(1, { onAsk: (_: string, given: Handle) => (handle = given) } as unknown as HostLink);
  const link = askingLink(() => handle);
  expect(await written(tallyOf(12, 'first worker', 0), link)).toEqual([12, 5]);
  expect(await written(tallyOf(20, 'second worker', 0), link)).toEqual([8, 0]);
  expect(await written(tallyOf(20, 'first worker', minuteMs), link)).toEqual([20, 5]);
  expect(await written(tallyOf(3, 'late worker', 0), link)).toEqual([0, 0]);
});

test('a worker whose supervisor is gone writes what its own limits allow', async () => {
  const link = askingLink(() => () => Promise.reject(new Error('gone')));
  expect(await written(tallyOf(20, 'worker', 0), link)).toEqual([20, 20]);
});
