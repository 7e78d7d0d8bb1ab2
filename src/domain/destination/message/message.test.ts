import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventType } from '../destination.ts';
import type { LeadFacts } from '../lead-facts.ts';
import { sampleLead } from '../sample-lead.ts';
import { digestEntriesMax, digestOf } from './digest-message.ts';
import { emailOf, type Message, messageLimits, messageOf, nameOf } from './message.ts';

const workspaceId = '0190a6c8-2222-7000-8000-000000000001';
const submissionId = '0190a6c8-1111-7000-8000-000000000001';
const at = new Date('2026-11-15T08:00:00.000Z');
const form = { id: 'f', slug: 'contact', name: 'Contact' };
const publicUrl = 'https://leads.example';
const whole = { linkOnly: false, publicUrl };

function leadWith(fields: unknown, others: Partial<LeadFacts> = {}): LeadFacts {
  const json = typeof fields === 'string' ? fields : JSON.stringify(fields);
  return { ...sampleLead({ workspaceId, submissionId, form, at }), isTest: false, fields: json, ...others };
}

function contentOf(lead: LeadFacts | null, type: EventType = 'lead.accepted', data = null as object | null) {
  const event = { workspaceId, number: 1, type, at, submissionId };
  return { event, data: data as Record<string, unknown> | null, lead };
}

function messageFor(fields: unknown, options = whole): Message {
  return messageOf(contentOf(leadWith(fields)), options) as Message;
}

test('a message names the lead, shows its fields in their order, and links to it', () => {
  expect(
    messageFor({ name: 'Ada', email: 'ada@example.com', message: 'a\r\nb', empty: '', tags: ['x', 1] }),
  ).toEqual({
    title: 'New lead: Ada',
    facts: [
      { label: 'name', value: 'Ada' },
      { label: 'email', value: 'ada@example.com' },
      { label: 'message', value: 'a\nb' },
      { label: 'tags', value: '["x",1]' },
      { label: 'Form', value: 'Contact' },
      { label: 'Score', value: '72 (B)' },
    ],
    url: `${publicUrl}/w/${workspaceId}/leads/${submissionId}`,
    replyTo: 'ada@example.com',
  });
});

test('a message with a link only has nothing that the person who sent the lead wrote', () => {
  const secret = 'personal';
  const fields = { name: secret, email: `${secret}@example.com`, [secret]: secret };
  const message = messageFor(fields, { linkOnly: true, publicUrl });
  expect(message).toMatchObject({
    title: 'New lead',
    facts: [{ label: 'Form', value: 'Contact' }],
    replyTo: null,
  });
  expect(JSON.stringify(message)).not.toContain(secret);
  const digest = digestOf(workspaceId, 2, [contentOf(leadWith(fields))], { linkOnly: true, publicUrl });
  expect(JSON.stringify(digest)).not.toContain(secret);
});

test('an event about a lead that was erased has no message', () => {
  expect(messageOf(contentOf(null), whole)).toBeNull();
});

test('a message about a disabled destination says why, and links to it', () => {
  const data = { id: 'd', name: 'CRM\r\nBcc: x', reason: 'no_recipients' };
  expect(messageOf(contentOf(null, 'destination.disabled', data), whole)).toEqual({
    title: 'Destination disabled: CRM Bcc: x',
    facts: [{ label: 'Reason', value: 'Nobody is left who receives the emails.' }],
    url: `${publicUrl}/w/${workspaceId}/destinations/d`,
    replyTo: null,
  });
});

test.each([
  [{ Name: ' Ada ' }, 'Ada'],
  [{ first_name: 'Ada', LastName: 'Lovelace' }, 'Ada Lovelace'],
  [{ name: '', email: 'ada@example.com' }, 'ada@example.com'],
  [{ name: { first: 'Ada' }, mail: 'a@b.example' }, 'a@b.example'],
  [{ phone: '1' }, null],
])('the name of a lead with %j is %j', (fields, name) => {
  expect(nameOf(leadWith(fields))).toBe(name);
});

test.each(['ada@example.com', "o'hara+x=y@a-b.example", 'A.B@EXAMPLE.COM'])(
  '%s can be replied to',
  (email) => {
    expect(emailOf(leadWith({ email }))).toBe(email);
  },
);

test.each([
  'ada@example.com\r\nBcc: x@example.com',
  'ada@example.com, x@example.com',
  'Ada <ada@example.com>',
  'ada@example.com>',
  'ada@@example.com',
  '"a b"@example.com',
  'ada@[127.0.0.1]',
  '.ada@example.com',
  'a..b@example.com',
  'ada@example',
  'ada@-a.example',
  'ada@a..example',
  'ada@exämple.com',
  'äda@example.com',
  '=?utf-8?q?x=40evil.example=3e?=@example.com',
  'ada\u202e@example.com',
  'ada\0@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'a'.repeat(64)}.example`,
  `a@${'a.'.repeat(126)}example`,
])('%j cannot be replied to', (email) => {
  expect(emailOf(leadWith({ email }))).toBeNull();
});

test('whatever a lead contains, its message keeps to the limits and has no line break outside of values', () => {
  const long = fc.constantFrom('\n', '\u202e', '<', '😀').map((character) => character.repeat(5_000));
  const values = fc.oneof(fc.string({ unit: 'binary' }), long, fc.jsonValue());
  const keys = fc.oneof(
    fc.constantFrom('name', 'email', '__proto__', 'constructor', 'toString'),
    fc.string({ unit: 'binary' }),
  );
  const members = fc.array(fc.tuple(keys, values), { maxLength: 60 });
  fc.assert(
    fc.property(members, (all) => {
      const json = `{${all.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
      const message = messageFor(json);
      expect(message.title).not.toMatch(/[\r\n]/);
      expect(message.title.length).toBeLessThanOrEqual(messageLimits.titleCharacters);
      // Those of the lead, their number, form and score.
      expect(message.facts.length).toBeLessThanOrEqual(messageLimits.facts + 3);
      for (const { label, value } of message.facts) {
        expect(label).not.toMatch(/[\r\n]/);
        expect(label.length).toBeLessThanOrEqual(messageLimits.labelCharacters);
        expect(value.length).toBeLessThanOrEqual(messageLimits.valueCharacters);
        expect(value).not.toContain('\r');
      }
      expect(message.replyTo ?? '').not.toMatch(/\s/);
    }),
  );
});

test('the key __proto__ is a field like any other', () => {
  const message = messageFor('{"__proto__": {"name": "Eve"}, "constructor": "x"}');
  expect(message.title).toBe('New lead');
  expect(message.facts.slice(0, 2)).toEqual([
    { label: '__proto__', value: '{"name":"Eve"}' },
    { label: 'constructor', value: 'x' },
  ]);
});

test('of a lead with thousands of fields some are shown, and the number of the others', () => {
  const fields = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`field ${i}`, i]));
  const { facts } = messageFor(fields);
  expect(facts).toHaveLength(messageLimits.facts + 3);
  expect(facts[messageLimits.facts]).toEqual({ label: 'Further fields', value: '8975' });
});

test('a digest counts all leads, shows the first ones, and leaves out those that were erased', () => {
  const contents = Array.from({ length: 30 }, (_, i) =>
    contentOf(i === 3 ? null : leadWith({ name: `Ada ${i}` })),
  );
  const digest = digestOf(workspaceId, 40, contents, whole);
  expect(digest.title).toBe('40 events');
  expect(digest.entries).toHaveLength(digestEntriesMax - 1);
  expect(digest.more).toBe(40 - digest.entries.length);
  expect(digest.url).toBe(`${publicUrl}/w/${workspaceId}/leads`);
  expect(digestOf(workspaceId, 1, [contentOf(leadWith({}))], whole).title).toBe('1 lead');
  expect(digestOf(workspaceId, 2, [contentOf(leadWith({}))], whole).title).toBe('2 leads');
});
