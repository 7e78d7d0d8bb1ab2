import { expect, test } from 'vitest';
import { unprovenWaitingBytesMax, waitingBytesMax } from '../../domain/held/held-bounds.ts';
import type { FormEntry } from '../directory/directory.ts';
import { sizeOf, WaitingHeld, type WaitingRequest } from './waiting-held.ts';

const noHeaders = {
  timestamp: undefined,
  signature: undefined,
  contentType: undefined,
  idempotencyKey: undefined,
};

function request(workspaceId: string, bytes: number, isProven = true): WaitingRequest {
  const body = Buffer.alloc(bytes);
  return {
    id: '',
    form: { workspaceId } as FormEntry,
    tokenId: null,
    surface: 'server',
    reason: 'form_inactive',
    isProven,
    at: 0,
    requestId: '',
    sentAs: null,
    headers: noHeaders,
    body,
    expiresAt: 0,
    size: sizeOf(noHeaders, body),
  };
}

const bodyBytes = 100_000;

/** Adds as many as there is room for. */
function fill(waiting: WaitingHeld, workspaceId: string, isProven = true): WaitingRequest[] {
  const added: WaitingRequest[] = [];
  for (;;) {
    const next = request(workspaceId, bodyBytes, isProven);
    if (!waiting.hasRoom(isProven, workspaceId, next.size)) return added;
    waiting.add(next);
    added.push(next);
  }
}

test('a workspace gets at most half of what the others leave, so there is room for the next one', () => {
  const waiting = new WaitingHeld();
  const counts = ['first', 'second', 'third', 'fourth'].map((id) => fill(waiting, id).length);
  expect(counts).toEqual([41, 21, 10, 5]);
  expect(waiting.bytes).toBeLessThan(waitingBytesMax);
});

test('what was written gives its room back; what is being written does not', () => {
  const waiting = new WaitingHeld();
  const added = fill(waiting, 'workspace');
  expect(waiting.takeAll()).toEqual(added);
  expect(fill(waiting, 'workspace')).toEqual([]);
  for (const one of added) waiting.release(one);
  expect([waiting.bytes, fill(waiting, 'workspace').length]).toEqual([0, added.length]);
});

test('a flood of unauthenticated senders takes no room of proven ones', () => {
  const waiting = new WaitingHeld();
  for (let n = 0; n < 100; n++) fill(waiting, `workspace ${n}`, false);
  expect(waiting.bytes).toBeLessThanOrEqual(unprovenWaitingBytesMax);
  expect(fill(waiting, 'workspace').length).toBe(41);
});

test('headers count, so that they cannot be used to take memory', () => {
  const long = { ...noHeaders, contentType: 'x'.repeat(10_000), idempotencyKey: 'y'.repeat(5_000) };
  expect(sizeOf(long, Buffer.alloc(10)) - sizeOf(noHeaders, Buffer.alloc(10))).toBe(15_000);
});
