import { expect, test } from 'vitest';
import type { LeadFacts } from '../domain/destination/lead-facts.ts';
import { SharedLeads } from './shared-leads.ts';

const read = (changed: Partial<LeadFacts> = {}): LeadFacts => ({
  workspaceId: 'w',
  submissionId: 's',
  formId: 'f',
  form: { id: 'f', slug: 'contact', name: 'Contact' },
  receivedAt: new Date(0),
  surface: 'server',
  verdict: 'clean',
  score: 7,
  grade: 'A',
  fields: '{"name":"Ada"}',
  enrichment: null,
  isEnriched: true,
  reasons: '[]',
  isTest: false,
  ...changed,
});

test('a lead that was read again without a change is the same object', () => {
  const leads = new SharedLeads();
  const first = leads.of(read());
  expect(leads.of(read())).toBe(first);
});

test.each<Partial<LeadFacts>>([
  { fields: '{}' },
  { verdict: 'spam' },
  { enrichment: '{}' },
  { form: null },
  { form: { id: 'f', slug: 'contact', name: 'Renamed' } },
  { receivedAt: new Date(1) },
])('a lead that has changed is sent as it is now: %j', (changed) => {
  const leads = new SharedLeads();
  leads.of(read());
  expect(leads.of(read(changed))).toEqual(read(changed));
  expect(leads.of(read(changed))).toEqual(read(changed));
});

test('only the newest leads are kept, and no large ones', () => {
  const leads = new SharedLeads();
  const first = leads.of(read());
  for (let number = 0; number < 500; number++) leads.of(read({ submissionId: `other ${number}` }));
  expect(leads.of(read())).not.toBe(first);
  const large = read({ submissionId: 'large', fields: `{"text":"${'x'.repeat(8_192)}"}` });
  leads.of(large);
  expect(leads.of({ ...large })).not.toBe(large);
});
