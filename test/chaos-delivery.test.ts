import { expect, test } from 'vitest';
import type { FeedEvent } from '../bench/delivery/feed-reader.ts';
import { checkDeliveries, type DeliveryFindings, type Evidence } from '../chaos/delivery/delivery-check.ts';
import type { Received } from '../chaos/delivery/receivers.ts';

const workspaceId = 'w';
const lead = { workspaceId, company: 'Harbor Dental', verdict: 'clean' };
const accepted = { accepted: 1, refused: 0, unclear: 0 };

function event(cursor: number, submission_id: string, type: FeedEvent['type'] = 'lead.accepted'): FeedEvent {
  return { id: `e${cursor}`, cursor: String(cursor), type, submission_id };
}

function arrived(webhookId: string, submissionId: string, changed: Partial<Received> = {}): Received {
  const usual = { receiver: 'all', type: 'lead.accepted', answers: { ...accepted }, lastAt: 1_000 };
  return { ...usual, webhookId, submissionId, ...changed };
}

const feed = [event(1, 'a'), event(3, 'b')];
const good: Evidence = {
  destinations: [
    { workspaceId, receiver: 'all', wants: (type) => type === 'lead.accepted' },
    { workspaceId, receiver: 'none', wants: () => false },
  ],
  received: [arrived('msg_e1', 'a'), arrived('msg_e3', 'b')],
  feeds: new Map([[workspaceId, feed]]),
  readings: new Map([[workspaceId, feed]]),
  leads: new Map([
    ['a', lead],
    ['b', lead],
  ]),
  erased: [],
  unsigned: [],
  trapped: [],
};
const many = Array.from({ length: 60 }, (_, i) => `l${i}`);

function kindsOf(evidence: Evidence): string[] {
  const { findings } = checkDeliveries(evidence);
  return Object.entries(findings).flatMap(([kind, list]: [string, string[]]) =>
    list.length > 0 ? [kind] : [],
  );
}

test('nothing is found when everything arrived', () => {
  expect(kindsOf(good)).toEqual([]);
  expect(checkDeliveries(good).figures).toEqual({ events: 2, wanted: 2, doubles: 0, failures: 0 });
});

const broken: readonly [what: string, kind: keyof DeliveryFindings, Partial<Evidence>][] = [
  ['an event that did not arrive', 'undelivered', { received: [arrived('msg_e1', 'a')] }],
  [
    'an event that its receiver always refused',
    'undelivered',
    {
      received: [
        arrived('msg_e1', 'a'),
        arrived('msg_e3', 'b', { answers: { accepted: 0, refused: 9, unclear: 0 } }),
      ],
    },
  ],
  [
    'too many doubles',
    'repeated',
    {
      leads: new Map(many.map((id) => [id, lead])),
      feeds: new Map([[workspaceId, many.map((id, i) => event(i + 1, id))]]),
      readings: new Map([[workspaceId, many.map((id, i) => event(i + 1, id))]]),
      received: many.map((id, i) => arrived(`msg_e${i + 1}`, id, { answers: { ...accepted, accepted: 2 } })),
    },
  ],
  [
    'an event with another webhook-id',
    'renamed',
    {
      received: [...good.received, arrived('msg_e9', 'b')],
      feeds: new Map([[workspaceId, [...feed, event(9, 'b')]]]),
    },
  ],
  ['a signature that does not match', 'unsigned', { unsigned: ['all msg_e1'] }],
  ['a redirect that was followed', 'misdelivered', { trapped: ['POST /trap'] }],
  [
    'an event for a destination that does not want it',
    'misdelivered',
    { received: [...good.received, arrived('msg_e1', 'a', { receiver: 'none' })] },
  ],
  [
    'an event that is not in the feed of the workspace',
    'misdelivered',
    { received: [...good.received, arrived('msg_e2', 'c')] },
  ],
  [
    'a lead that was sent long after it was erased',
    'misdelivered',
    {
      leads: new Map([['a', lead]]),
      erased: [{ workspaceId, submissionId: 'b', at: 1_000 }],
      received: [arrived('msg_e1', 'a'), arrived('msg_e3', 'b', { lastAt: 9_000 })],
      feeds: new Map([[workspaceId, [...feed, event(4, 'b', 'lead.erased')]]]),
      readings: new Map(),
    },
  ],
  ['a lead without an event', 'unlisted', { leads: new Map([...good.leads, ['c', lead]]) }],
  [
    'a lead of another workspace in the feed',
    'unlisted',
    {
      leads: new Map([
        ['a', lead],
        ['b', { ...lead, workspaceId: 'other' }],
      ]),
    },
  ],
  ['an event that a reader missed', 'gaps', { readings: new Map([[workspaceId, feed.slice(1)]]) }],
  [
    'an event that a reader got twice',
    'gaps',
    { readings: new Map([[workspaceId, [...feed, event(3, 'b')]]]) },
  ],
  ['events that are not in order', 'disordered', { readings: new Map([[workspaceId, feed.toReversed()]]) }],
];

test.each(broken)('%s is found as %s', (_what, kind, changed) => {
  expect(kindsOf({ ...good, ...changed })).toContain(kind);
});

test('a response that never became whole counts neither as a loss nor as a double', () => {
  const unclear = arrived('msg_e3', 'b', { answers: { accepted: 0, refused: 0, unclear: 1 } });
  const again = arrived('msg_e3', 'b', { answers: { accepted: 1, refused: 0, unclear: 3 } });
  for (const one of [unclear, again]) {
    const evidence = { ...good, received: [arrived('msg_e1', 'a'), one] };
    expect(kindsOf(evidence)).toEqual([]);
    expect(checkDeliveries(evidence).figures.doubles).toBe(0);
  }
});

test('a lead that was erased before it was sent need not arrive', () => {
  const evidence: Evidence = {
    ...good,
    leads: new Map([['a', lead]]),
    received: [arrived('msg_e1', 'a')],
    erased: [{ workspaceId, submissionId: 'b', at: 1_000 }],
    feeds: new Map([[workspaceId, [...feed, event(4, 'b', 'lead.erased')]]]),
    readings: new Map(),
  };
  expect(kindsOf(evidence)).toEqual([]);
});
