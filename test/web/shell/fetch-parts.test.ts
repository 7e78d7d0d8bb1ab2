import { QueryObserver } from '@tanstack/react-query';
import { afterAll, expect, test, vi } from 'vitest';
import { everyPart } from '../../../src/contract/live/names.ts';
import { ApiProblem } from '../../../web/api/client.ts';
import { fetchParts } from '../../../web/api/live/queries-of-parts.ts';
import { queryClient } from '../../../web/api/query-client.ts';

const ends: (() => void)[] = [];

afterAll(() => {
  for (const end of ends) end();
  queryClient.clear();
});

/** A query on screen whose first call has ended. The signals of its calls. */
async function shown(queryKey: readonly string[], call: () => Promise<unknown>) {
  const signals: AbortSignal[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: ({ signal }) => {
      signals.push(signal);
      return call();
    },
  });
  ends.push(observer.subscribe(() => {}));
  await vi.waitUntil(() => queryClient.getQueryState(queryKey)?.fetchStatus === 'idle');
  expect(signals).toHaveLength(1);
  return signals;
}

test('what several changes name is fetched once, and nothing is aborted', async () => {
  const diagnostics = await shown(['diagnostics', 'w', 'some'], async () => 'counts');
  const tokens = await shown(['tokens', 'w'], async () => 'list');
  fetchParts(everyPart, 'w');
  await vi.waitUntil(() => diagnostics.length > 1 && tokens.length > 1);
  for (const signals of [diagnostics, tokens])
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
});

test('what does not exist is not asked for again when something changes', async () => {
  const missing = new ApiProblem(404, { code: 'not_found' });
  const lead = await shown(['leads', 'w', 'one', 'erased'], () => Promise.reject(missing));
  const newest = await shown(['leads', 'w', 'newest'], async () => 'list');
  fetchParts(everyPart, 'w');
  await vi.waitUntil(() => newest.length === 2);
  expect(lead).toHaveLength(1);
});
