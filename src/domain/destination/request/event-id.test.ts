import { expect, test } from 'vitest';
import { eventId, webhookId } from './event-id.ts';

const event = {
  workspaceId: '0198a0c0-0000-7000-8000-000000000001',
  number: 7,
  type: 'lead.accepted',
  submissionId: '0198a0c0-0000-7000-8000-000000000002',
} as const;

test('an event has the same ID forever, in every release', () => {
  expect(eventId(event)).toBe('61f0fd218cc4b3596640aa59d4373846');
  expect(webhookId(event)).toBe('msg_61f0fd218cc4b3596640aa59d4373846');
});

test.each([
  { workspaceId: '0198a0c0-0000-7000-8000-000000000009' },
  { number: 8 },
  { type: 'lead.enriched' as const },
  { submissionId: null },
])('another event has another ID: %j', (change) => {
  expect(eventId({ ...event, ...change })).not.toBe(eventId(event));
});
