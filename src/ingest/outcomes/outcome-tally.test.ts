import { expect, test } from 'vitest';
import { OutcomeTally } from './outcome-tally.ts';
import { WaitingEntries } from './waiting-entries.ts';

test('however many rejections without a workspace wait, all are counted and the IDs of the last 50,000 are kept', () => {
  const tally = new OutcomeTally(new WaitingEntries());
  for (let n = 0; n < 200_000; n++)
    tally.countUnattributed(n % 2 === 0 ? 'server' : 'webhook', 'token_unknown', n, `${n}`);
  const { unattributed, unattributedRequests } = tally.toFlush();
  expect(unattributed.reduce((sum, { count }) => sum + count, 0)).toBe(200_000);
  const ids = new Set(unattributedRequests.flatMap(({ requestIds }) => requestIds));
  expect(ids.size).toBeLessThan(60_000);
  for (let n = 150_000; n < 200_000; n++) expect(ids.has(`${n}`)).toBe(true);
});
