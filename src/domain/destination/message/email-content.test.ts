import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import type { DigestMessage } from './digest-message.ts';
import { emailContent } from './email-content.ts';
import type { Message } from './message.ts';

const unsubscribeUrl = 'https://leads.example/emails/unsubscribe#token=abc';
const frame = { destinationName: 'Sales', unsubscribeUrl };
const message: Message = {
  title: 'New lead: Ada',
  facts: [
    { label: 'message', value: 'one\ntwo' },
    { label: 'Form', value: 'Contact' },
  ],
  url: 'https://leads.example/w/1/leads/2',
  replyTo: 'ada@example.com',
};

/** What a mail program finds in the HTML: the elements, where they lead to, and the text. */
function readHtml(html: string) {
  const tags: string[] = [];
  const attributes: [string, string][] = [];
  let text = '';
  const parser = new Parser({
    onopentag(name, found) {
      tags.push(name);
      attributes.push(...Object.entries(found));
    },
    ontext(part) {
      text += part;
    },
  });
  parser.end(html);
  const links = attributes.filter(([name]) => name === 'href').map(([, value]) => value);
  return { tags, attributes, links, text };
}

test('an email says what happened, to whom, why the reader gets it, and how to unsubscribe', () => {
  const { subject, text, html, replyTo } = emailContent(message, frame);
  expect(subject).toBe('New lead: Ada');
  expect(replyTo).toBe('ada@example.com');
  expect(text).toBe(`New lead: Ada

message:
  one
  two
Form: Contact

Open in Leadgate: https://leads.example/w/1/leads/2

--${' '}
You get this email because your address is a recipient of the destination "Sales" in Leadgate.
Unsubscribe: ${unsubscribeUrl}
`);
  expect(html).toContain('one<br>two');
  expect(readHtml(html)).toMatchObject({
    links: [message.url, unsubscribeUrl],
    text: expect.stringContaining('recipient of the destination "Sales" in Leadgate'),
  });
});

test('without the URL of the service there are no links', () => {
  const { text, html } = emailContent({ ...message, url: null }, { ...frame, unsubscribeUrl: null });
  expect(text).not.toMatch(/https?:/);
  expect(readHtml(html).links).toEqual([]);
});

test('a digest lists its leads with links, and says how many others there are', () => {
  const digest: DigestMessage = {
    title: '12 leads',
    entries: [message, { ...message, title: 'New lead: Max', url: null }],
    more: 10,
    url: 'https://leads.example/w/1/leads',
    openText: 'Open the lead table',
  };
  const { subject, text, html, replyTo } = emailContent(digest, frame);
  expect(subject).toBe('Sales: 12 leads');
  expect(replyTo).toBeNull();
  expect(text).toContain(
    '- New lead: Ada\n  https://leads.example/w/1/leads/2\n\n- New lead: Max\n\nand 10 more',
  );
  expect(text).toContain('Open the lead table: https://leads.example/w/1/leads\n');
  const read = readHtml(html);
  expect(read.links).toEqual([message.url, digest.url, unsubscribeUrl]);
  expect(read.text).toContain('and 10 more');
  expect(emailContent({ ...digest, more: 0 }, frame).text).not.toContain('more');
});

test('a value cannot look like another field, or like the footer, of the plain text', () => {
  const value = 'x\nScore: 100 (A)\n-- \nUnsubscribe: https://evil.example';
  const lines = emailContent({ ...message, facts: [{ label: 'a', value }] }, frame).text.split('\n');
  expect(lines.filter((line) => /^(?:Score|-- $|Unsubscribe)/.test(line))).toEqual([
    '-- ',
    `Unsubscribe: ${unsubscribeUrl}`,
  ]);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=https://evil.example/x onerror=alert(1)>',
    '</td></table><a href="javascript:alert(1)">x</a>',
    '&lt;b&gt;',
    '<!-- ',
    "' style='background:url(https://evil.example)",
    'a\r\nBcc: x@example.com',
    ']]>',
  ),
);
const hostileMessage = fc.record({
  title: hostile,
  facts: fc.array(fc.record({ label: hostile, value: hostile }), { maxLength: 5 }),
});

test('nothing that a lead contains becomes markup, a link, or a second line of the subject', () => {
  fc.assert(
    fc.property(hostileMessage, hostile, (parts, destinationName) => {
      const one: Message = { ...message, ...parts };
      const digest: DigestMessage = {
        ...{ title: parts.title, entries: [one], more: 1, url: message.url },
        openText: 'Open the lead table',
      };
      for (const made of [one, digest]) {
        const { subject, html } = emailContent(made, { destinationName, unsubscribeUrl });
        expect(subject).not.toMatch(/[\r\n]/);
        expect(subject.length).toBeLessThanOrEqual(150);
        const { tags, attributes, links } = readHtml(html);
        const allowed = [
          'html',
          'head',
          'meta',
          'title',
          'body',
          'table',
          'tbody',
          'tr',
          'td',
          'h1',
          'p',
          'a',
          'br',
        ];
        expect(tags.filter((tag) => !allowed.includes(tag))).toEqual([]);
        expect(attributes.filter(([name]) => /^(?:on|src)/.test(name))).toEqual([]);
        expect(links.every((link) => link.startsWith('https://leads.example/'))).toBe(true);
        expect(attributes.filter(([name, value]) => name === 'style' && value.includes('url'))).toEqual([]);
      }
    }),
  );
});

test('text comes out of the HTML as it was put in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (value) => {
      const { text } = readHtml(emailContent({ ...message, facts: [{ label: 'a', value }] }, frame).html);
      expect(text).toContain(value.replaceAll('\n', ''));
    }),
  );
});
