import { expect, test } from 'vitest';
import type { AuditEntry } from '../../src/contract/audit.ts';
import { seriesOf, seriesText } from '../../web/pages/workspace/audit-series.ts';

let entries = 0;

function mark(minutesAgo: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: String(entries++),
    at: new Date(Date.parse('2026-11-15T10:00:00Z') - minutesAgo * 60_000).toISOString(),
    actor: { kind: 'person', id: '1', name: 'ada@example.com' },
    text: 'Ada marked lead 7f2a4e10 as spam',
    subject: null,
    series: { before: 'Ada marked ', after: ' leads as spam' },
    action: 'markALeadAsSpamOrNotSpam',
    target: {},
    changes: {},
    address: null,
    count: 1,
    outcome: 'done',
    ...more,
  };
}

const texts = (list: AuditEntry[], hasMore = false) => seriesOf(list, hasMore).map(seriesText);
const one = 'Ada marked lead 7f2a4e10 as spam';

test('equal actions in a row are one line, and a single one keeps its sentence', () => {
  expect(texts([mark(0), mark(1), mark(2)])).toEqual(['Ada marked 3 leads as spam']);
  expect(texts([mark(0)])).toEqual([one]);
  expect(texts([])).toEqual([]);
});

test('a pause of more than an hour, another person, another action or an unknown outcome begins a new line', () => {
  expect(texts([mark(0), mark(60)])).toHaveLength(1);
  expect(texts([mark(0), mark(61)])).toEqual([one, one]);
  const others: Partial<AuditEntry>[] = [
    { actor: { kind: 'person', id: '2', name: 'ada@example.com' } },
    { series: { before: 'Ada marked ', after: ' leads as not spam' } },
    { action: 'eraseALead' },
    { outcome: 'unknown' },
  ];
  for (const other of others) expect(texts([mark(0), mark(1, other), mark(2)])).toHaveLength(3);
});

test('entries that stand for several events count as many', () => {
  expect(texts([mark(0, { count: 4 }), mark(1)])).toEqual(['Ada marked 5 leads as spam']);
});

test('a line whose end is not loaded says so, and no other does', () => {
  const list = [mark(0), mark(1), mark(90), mark(91)];
  expect(texts(list, true)).toEqual(['Ada marked 2 leads as spam', 'Ada marked at least 2 leads as spam']);
  expect(texts([mark(0)], true)).toEqual([one]);
});
