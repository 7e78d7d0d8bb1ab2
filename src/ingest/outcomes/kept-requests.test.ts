import { expect, test } from 'vitest';
import { type KeptRequest, WaitingRequests } from './kept-requests.ts';

const request = (workspaceId: string, number: number): KeptRequest => ({
  rejectionId: `${workspaceId} ${number}`,
  workspaceId,
  formId: 'form',
  slug: 'slug',
  at: 0,
  request: { timestamp: null, signature: null, contentType: null, bodyBytes: 0, body: null },
});

function waitingAfter(adds: readonly [workspaceId: string, count: number][]): Map<string, string[]> {
  const waiting = new WaitingRequests();
  for (const [workspaceId, count] of adds) {
    for (let number = 1; number <= count; number++) waiting.add(request(workspaceId, number));
  }
  expect(waiting.all.length).toBeLessThanOrEqual(100);
  const byWorkspace = Map.groupBy(waiting.all, ({ workspaceId }) => workspaceId);
  return new Map([...byWorkspace].map(([id, all]) => [id, all.map(({ rejectionId }) => rejectionId)]));
}

test('a workspace that has filled the queue loses places until all have the same number', () => {
  const waiting = waitingAfter([
    ['greedy', 150],
    ['modest', 3],
    ['second', 80],
  ]);
  expect(waiting.get('modest')).toEqual(['modest 1', 'modest 2', 'modest 3']);
  expect([waiting.get('greedy')?.length, waiting.get('second')?.length]).toEqual([49, 48]);
  expect(waiting.get('greedy')?.slice(0, 2)).toEqual(['greedy 1', 'greedy 2']);
});

test('a late workspace does not crowd out workspaces that have no more than it has', () => {
  const early = Array.from({ length: 100 }, (_, i): [string, number] => [`early ${i}`, 1]);
  const waiting = waitingAfter([...early, ['late', 50]]);
  expect(waiting.size).toBe(100);
  expect(waiting.has('late')).toBe(false);
});
