import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import { chatBody } from '../chat-body.ts';
import { type Message, messageLimits } from '../message.ts';
import { lineOf, shortened, textForPeople } from '../plain-text.ts';

const url =
  'https://leads.example.com/w/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d22/leads/0199f3a2-4b8e-7d11-8a3f-2f8f6b1c9d22';

// biome-ignore lint/suspicious/noExplicitAny: the shapes of four services.
type Json = any;

/** What means something to one of the services, and what may be around it. */
const pieces = [
  ...[
    '@channel',
    '@here',
    '@all',
    '@everyone',
    '<!here>',
    '<!channel>',
    '<@U024BE7LH>',
    '<#C024BE7LR>',
    '<@&1234>',
  ],
  ...[
    '<https://evil.example|bank>',
    '[bank](https://evil.example)',
    '<a href="https://evil.example">',
    'https://evil.example',
  ],
  ...[
    '*',
    '**',
    '_',
    '__',
    '~~',
    '||',
    '`',
    '``',
    '```',
    '\\',
    '# ',
    '## ',
    '> ',
    '>>> ',
    '- ',
    '1. ',
    '-# ',
    ':tada:',
    '~town-square',
  ],
  ...[
    '#tag',
    '<t:1618953630:R>',
    '{{DATE(2017-02-14T06:08:39Z,SHORT)}}',
    '{{',
    '<at>Ada</at>',
    '|---|---|',
    '$x$',
    '&lt;',
    '&amp;',
    '&',
  ],
  ...[
    '![x](https://evil.example/x.png)',
    '</div>',
    '"',
    "'",
    '\n',
    ' ',
    '\t',
    '…',
    '😀',
    '👩‍👩‍👧',
    'é',
    'ß',
    '漢字',
    'Ada',
    'x'.repeat(40),
  ],
];
const hostileText = fc.array(
  fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 8 })),
  { maxLength: 12 },
);
const line = (max: number) => hostileText.map((parts) => lineOf(parts.join(''), max));
const value = hostileText.map((parts) =>
  shortened(textForPeople(parts.join('')), messageLimits.valueCharacters),
);

const message: fc.Arbitrary<Message> = fc.record({
  title: line(140).map((name) => lineOf(`New lead: ${name}`, messageLimits.titleCharacters)),
  facts: fc.array(fc.record({ label: line(80), value }), { maxLength: 5 }),
  url: fc.constantFrom(url, null),
  replyTo: fc.constant(null),
});

const runs = { numRuns: 300 };

/** Without what is put between two characters, so that they mean nothing together. */
const visible = (text: string) => text.replaceAll('\u200b', '');
const shown = (text: string) => visible(text).replace(/\s+/g, ' ').trim();

/** What people see of a lead whose texts fit. */
function shownFacts({ facts }: Message): string[] {
  return facts.map(({ label, value }) => shown(`${label === '' ? '(no name)' : label} ${fewLines(value)}`));
}

function fewLines(text: string): string {
  const lines = text.replace(/\n\s*\n/g, '\n\n').split('\n');
  return lines.length <= 20 ? text : `${lines.slice(0, 20).join('\n').trimEnd()}…`;
}

test('Slack shows every text as it is, and parses nothing but our own link', () => {
  fc.assert(
    fc.property(message, (message) => {
      const { text, blocks }: Json = JSON.parse(chatBody('slack', message));
      const unescaped = (escaped: string) => {
        expect(escaped).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
        return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      };
      expect(unescaped(text)).toBe(message.title);
      const fields = blocks.flatMap(({ fields = [] }: Json) => fields);
      expect(fields.every(({ type, emoji }: Json) => type === 'plain_text' && emoji === false)).toBe(true);
      expect(fields.map(({ text }: Json) => shown(unescaped(text)))).toEqual(shownFacts(message));
      const parsed = blocks
        .filter(({ text }: Json) => text?.type === 'mrkdwn')
        .map(({ text }: Json) => text.text);
      expect(parsed).toEqual(message.url === null ? [] : [`<${url}|Open in Leadgate>`]);
    }),
    runs,
  );
});

/** The code spans of Markdown, and the text around them, as another implementation reads them. */
function readMarkdown(text: string): { code: string[]; links: string[]; rest: string; types: Set<string> } {
  const found = { code: [] as string[], links: [] as string[], rest: '', types: new Set<string>() };
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      found.types.add(token.type);
      if (token.type === 'codespan') found.code.push(token.text);
      else if (token.type === 'link') found.links.push(token.href);
      else if ('tokens' in token && token.tokens !== undefined) walk(token.tokens);
      else if (token.type === 'text') found.rest += token.text;
    }
  };
  walk(marked.lexer(text, { gfm: true, breaks: true }));
  return found;
}

test('Mattermost reads every text of a lead as code, and nothing else', () => {
  fc.assert(
    fc.property(message, (message) => {
      const { text }: Json = JSON.parse(chatBody('mattermost', message));
      const { code, links, rest, types } = readMarkdown(text);
      expect(
        types.difference(new Set(['heading', 'paragraph', 'codespan', 'text', 'br', 'space', 'link'])),
      ).toEqual(new Set());
      expect(rest.trim()).toBe('');
      expect(links).toEqual(message.url === null ? [] : [url]);
      expect(shown(code.join(' '))).toBe(shown([message.title, ...shownFacts(message)].join(' ')));
    }),
    runs,
  );
});

test('Discord reads every punctuation of a lead as text', () => {
  fc.assert(
    fc.property(message, (message) => {
      const { content, embeds, allowed_mentions }: Json = JSON.parse(chatBody('discord', message));
      expect(allowed_mentions).toEqual({ parse: [] });
      const ownLink = `[Open in Leadgate](${url})`;
      const all = `${content}\n${embeds[0]?.description ?? ''}`;
      const text = message.url === null ? all : all.slice(0, all.lastIndexOf(ownLink));
      // With the escaped characters out of the way, only the bold titles and names are left.
      const rest = text.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/^\*\*[^*]*\*\*/gm, '');
      expect(rest).not.toMatch(/[!-/:-@[-`{-~]/);
      const literal = text.replace(/^\*\*((?:\\.|[^\\*])*?):?\*\*/gm, '$1').replace(/\\(.)/g, '$1');
      expect(shown(literal)).toBe(shown([message.title, ...shownFacts(message)].join(' ')));
    }),
    runs,
  );
});

test('Teams gets every text of a lead as a run, in which Markdown and dates have no meaning', () => {
  fc.assert(
    fc.property(message, (message) => {
      const { content } = JSON.parse(chatBody('teams', message)).attachments[0];
      const [head, ...facts] = content.body.map(({ type, inlines }: Json) => {
        expect(type).toBe('RichTextBlock');
        return inlines.map(({ type, text }: Json) => {
          expect(type).toBe('TextRun');
          expect(text).not.toContain('{{');
          return text;
        });
      });
      expect(visible(head.join(''))).toBe(visible(message.title));
      expect(facts.map(([label, value]: string[]) => shown(`${label?.slice(0, -2)} ${value}`))).toEqual(
        shownFacts(message),
      );
    }),
    runs,
  );
});
