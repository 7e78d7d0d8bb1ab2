import { expect, test } from 'vitest';
import { checkHeld, type HeldEvidence, type HeldFindings, type HeldRow } from '../chaos/held/held-check.ts';

function row(id: string, changed: Partial<HeldRow> = {}): HeldRow {
  return { id, class: 'A', state: 'held', submissionId: null, ...changed };
}

const good: HeldEvidence = {
  sent: [
    { bodySha256: 'late', manner: 'late', told: null },
    { bodySha256: 'repeated', manner: 'repeated', told: 'l2' },
    { bodySha256: 'discarded', manner: 'late', told: null },
    { bodySha256: 'forged', manner: 'forged', told: null },
  ],
  provenAttempts: 3,
  admitted: [
    { heldId: 'h1', submissionId: 'l1' },
    { heldId: 'h1', submissionId: 'l1' },
  ],
  discarded: ['h3'],
  rows: [
    row('h1', { state: 'admitted', submissionId: 'l1' }),
    row('h2'),
    row('h3', { state: 'discarded' }),
    row('h4', { class: 'D' }),
  ],
  leads: [
    { submissionId: 'l1', bodySha256: 'late' },
    { submissionId: 'l2', bodySha256: 'repeated' },
  ],
  overstayed: [],
  usedAfterwards: 0,
};

function kindsOf(evidence: HeldEvidence): string[] {
  return Object.entries(checkHeld(evidence)).flatMap(([kind, list]: [string, string[]]) =>
    list.length > 0 ? [kind] : [],
  );
}

test('nothing is found when each request was admitted once, or not at all', () => {
  expect(kindsOf(good)).toEqual([]);
});

const broken: readonly [what: string, kind: keyof HeldFindings, Partial<HeldEvidence>][] = [
  ['an admission whose lead is not stored', 'unadmitted', { leads: good.leads.slice(1) }],
  [
    'a row that is marked as admitted without a lead',
    'unadmitted',
    { rows: [...good.rows, row('h5', { state: 'admitted', submissionId: 'l5' })] },
  ],
  ['an ID that a sender was told', 'forgotten', { leads: good.leads.slice(0, 1) }],
  [
    'a twin that was admitted',
    'readmitted',
    { leads: [...good.leads, { submissionId: 'l3', bodySha256: 'repeated' }] },
  ],
  [
    'two responses with different leads',
    'reidentified',
    { admitted: [...good.admitted, { heldId: 'h1', submissionId: 'l2' }] },
  ],
  [
    'a lead of a stranger',
    'unproven',
    { leads: [...good.leads, { submissionId: 'l4', bodySha256: 'forged' }] },
  ],
  ['a request of a stranger that is kept as proven', 'unproven', { rows: [...good.rows, row('h5')] }],
  [
    'a lead that had been discarded',
    'revived',
    {
      rows: good.rows.with(2, row('h3', { state: 'admitted', submissionId: 'l3' })),
      leads: [...good.leads, { submissionId: 'l3', bodySha256: 'discarded' }],
    },
  ],
  ['a row whose time was over', 'overstayed', { overstayed: [row('h3', { state: 'discarded' })] }],
  ['room that is used by nothing', 'miscounted', { usedAfterwards: 1 }],
];

test.each(broken)('%s is found as %s', (_what, kind, changed) => {
  expect(kindsOf({ ...good, ...changed })).toContain(kind);
});
