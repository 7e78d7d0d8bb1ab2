import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChatService, chatServices } from '../../kind/kind-settings.ts';
import { chatBody } from '../chat-body.ts';
import type { DigestMessage } from '../digest-message.ts';
import { type Message, messageLimits } from '../message.ts';
import { lineOf, shortened } from '../plain-text.ts';

const url =
  'https://leads.example.com/w/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d22/leads/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d22';

/** As long as a message can be: with what is longest when it is escaped, or in bytes. */
const longText = fc
  .constantFrom('&', '<', '*', '`', '"', '\\', 'x', '漢', '😀', '\n', 'é', '{')
  .map((one) => one.repeat(2_000));
const longMessage: fc.Arbitrary<Message> = fc
  .record({
    title: longText,
    label: longText,
    value: longText,
    facts: fc.constantFrom(messageLimits.facts + 3, 1, 0),
    url: fc.constantFrom(url, null),
  })
  .map(({ title, label, value, facts, url }) => ({
    title: lineOf(`New lead: ${title}`, messageLimits.titleCharacters),
    facts: Array.from({ length: facts }, () => ({
      label: lineOf(label, messageLimits.labelCharacters),
      value: shortened(value, messageLimits.valueCharacters),
    })),
    url,
    replyTo: null,
  }));
const longDigest: fc.Arbitrary<DigestMessage> = fc
  .array(longMessage, { minLength: 25, maxLength: 25 })
  .map((entries) => ({
    title: '5000 leads',
    entries,
    more: 4_975,
    url,
    openText: 'Open the lead table',
  }));

// biome-ignore lint/suspicious/noExplicitAny: the shapes of four services.
type Json = any;

const ownLimits: Readonly<Record<ChatService, (body: Json) => void>> = {
  slack({ text, blocks }) {
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
    for (const { type, text, fields = [] } of blocks) {
      if (text !== undefined) expect(text.text.length).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
      expect(fields.length).toBeLessThanOrEqual(10);
      for (const field of fields) {
        expect(field.text.length).toBeGreaterThan(0);
        expect(field.text.length).toBeLessThanOrEqual(2_000);
      }
    }
  },
  mattermost({ text }) {
    expect([...text].length).toBeLessThanOrEqual(4_000);
  },
  teams(body) {
    const json = JSON.stringify(body);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(28_000);
    expect(Buffer.byteLength(json, 'utf16le')).toBeLessThanOrEqual(28_000);
  },
  discord({ content, embeds }) {
    expect(content.length).toBeLessThanOrEqual(2_000);
    for (const { description } of embeds) {
      expect(description.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(4_096);
    }
  },
};

test.each(chatServices)('the longest lead and the longest digest are within the limits of %s', (service) => {
  fc.assert(
    fc.property(fc.oneof(longMessage, longDigest), (message) => {
      const json = chatBody(service, message);
      ownLimits[service](JSON.parse(json));
      expect(json.isWellFormed()).toBe(true);
      // Half of a character would be written as an escape.
      expect(json).not.toMatch(/\\ud[89a-f]/i);
    }),
    { numRuns: 60 },
  );
});

test.each(chatServices)('the title of each lead is in the longest digest for %s', (service) => {
  const entry = {
    title: `New lead: ${'Ada '.repeat(30)}`.trim(),
    facts: [{ label: 'a', value: 'b'.repeat(900) }],
    url,
    replyTo: null,
  };
  const entries = Array(25).fill(entry);
  const json = chatBody(service, {
    title: '25 leads',
    entries,
    more: 0,
    url,
    openText: 'Open the lead table',
  });
  expect(json.split(/New lead(?:\\\\)?: Ada Ada Ada/)).toHaveLength(26);
});

test('a lead that consists of line breaks leaves room for the others', () => {
  const facts = [
    { label: 'message', value: 'x\n'.repeat(500) },
    { label: 'email', value: 'ada@example.com' },
  ];
  for (const service of chatServices) {
    const json = chatBody(service, { title: 'New lead', facts, url: null, replyTo: null });
    expect(json).toMatch(/ada\\*@example/);
    expect(json.split('\\n').length).toBeLessThan(30);
  }
});
