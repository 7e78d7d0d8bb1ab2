import { expect, test } from 'vitest';
import { sampleLead } from '../../domain/destination/sample-lead.ts';
import type { Item, Parcel } from '../channel.ts';
import { emailWriter } from './email-writer.ts';

const workspaceId = '0190a6c8-2222-7000-8000-000000000001';
const at = new Date('2026-11-15T08:00:00.000Z');
const recipient = { id: '0190a6c8-3333-7000-8000-000000000001', address: 'max@example.com' };

function itemOf(id: string, others: Partial<Item> = {}): Item {
  const lead = sampleLead({ workspaceId, submissionId: id, form: null, at });
  const event = { eventNumber: 1, eventType: 'lead.accepted', eventAt: at, eventData: null } as const;
  const delivery = { id, nextAt: at, submissionId: id, attempts: 0, leadBytes: 1, sentTo: [], ...event };
  return { delivery, lead, isOnlyCounted: false, ...others };
}

function parcelOf(items: readonly Item[], others: Partial<Parcel> = {}): Parcel {
  const config = { every: 'hour', hour: 8, timeZone: 'UTC', linkOnly: false } as const;
  return {
    destination: { id: 'd', workspaceId, name: 'Sales', mapping: [], kind: 'email', config },
    opened: { secrets: ['secret'], headers: {} },
    items,
    isDigest: true,
    publicUrl: 'https://leads.example',
    at,
    ...others,
  };
}

const [one, two, three] = [itemOf('1'), itemOf('2'), itemOf('3')];
const idOf = (items: readonly Item[], to = recipient) => emailWriter(parcelOf(items)).write(to, items).id;

test('the same deliveries to the same recipient are the same email, in whatever order', () => {
  expect(idOf([one, two])).toBe(idOf([two, one]));
});

test('other deliveries, or another recipient, are another email', () => {
  const ids = [idOf([one]), idOf([two]), idOf([one, two]), idOf([one, two, three])];
  const other = idOf([one], { ...recipient, id: '0190a6c8-3333-7000-8000-000000000002' });
  expect(new Set([...ids, other]).size).toBe(5);
});

test('a recipient who has some of the deliveries gets a digest of the others', () => {
  const writer = emailWriter(parcelOf([one, two, three]));
  expect(writer.write(recipient, [one, two, three]).subject).toBe('Sales: 3 leads');
  expect(writer.write(recipient, [three]).subject).toBe('Sales: 1 lead');
});

test('deliveries of which nothing was read are counted', () => {
  const counted = itemOf('4', { lead: null, isOnlyCounted: true });
  const { subject, text } = emailWriter(parcelOf([one, counted])).write(recipient, [one, counted]);
  expect(subject).toBe('Sales: 2 leads');
  expect(text).toContain('and 1 more');
});

test('without the URL of the service there is no link to unsubscribe', () => {
  const email = emailWriter(parcelOf([one], { publicUrl: null })).write(recipient, [one]);
  expect(email.oneClickUrl).toBeNull();
  expect(email.text).not.toContain('http');
});

test('an event whose lead is not there cannot be written', () => {
  expect(() => emailWriter(parcelOf([itemOf('1', { lead: null })], { isDigest: false }))).toThrow();
});
