import { expect, test } from 'vitest';
import type { ChatService } from '../../kind/kind-settings.ts';
import { chatBody } from '../chat-body.ts';
import type { DigestMessage } from '../digest-message.ts';
import type { Message } from '../message.ts';

const lead: Message = {
  title: 'New lead: Ada <b>*King*</b>',
  facts: [
    { label: 'email', value: 'ada@example.com' },
    { label: 'message', value: 'Hi @channel & <!here>\nsee [this](https://evil.example)' },
    { label: 'Score', value: '40 (B)' },
  ],
  url: 'https://leads.example/w/1/leads/2',
  replyTo: 'ada@example.com',
};

const digest: DigestMessage = {
  title: '3 leads',
  entries: [
    { ...lead, facts: lead.facts.slice(0, 1) },
    { title: 'Destination disabled: CRM', facts: [], url: null, replyTo: null },
  ],
  more: 1,
  url: 'https://leads.example/w/1/leads',
  openText: 'Open the lead table',
};

const bodyOf = (service: ChatService, message: Message | DigestMessage) =>
  JSON.parse(chatBody(service, message));

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

test('Slack gets a lead as plain text in blocks', () => {
  expect(bodyOf('slack', lead)).toEqual({
    text: 'New lead: Ada &lt;b&gt;*King*&lt;/b&gt;',
    blocks: [
      { type: 'header', text: plain('New lead: Ada &lt;b&gt;*King*&lt;/b&gt;') },
      {
        type: 'section',
        fields: [
          plain('email\nada@example.com'),
          plain('message\nHi @channel &amp; &lt;!here&gt;\nsee [this](https://evil.example)'),
          plain('Score\n40 (B)'),
        ],
      },
      { type: 'section', text: mrkdwn('<https://leads.example/w/1/leads/2|Open in Leadgate>') },
    ],
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  });
});

test('Slack gets a digest with a section for each lead', () => {
  expect(bodyOf('slack', digest).blocks).toEqual([
    { type: 'header', text: plain('3 leads') },
    {
      type: 'section',
      fields: [
        plain('New lead: Ada &lt;b&gt;*King*&lt;/b&gt;\nemail: ada@example.com'),
        mrkdwn('<https://leads.example/w/1/leads/2|Open>'),
      ],
    },
    { type: 'section', fields: [plain('Destination disabled: CRM')] },
    { type: 'context', elements: [plain('and 1 more')] },
    { type: 'section', text: mrkdwn('<https://leads.example/w/1/leads|Open in Leadgate>') },
  ]);
});

test('Mattermost gets the texts of a lead as code', () => {
  expect(bodyOf('mattermost', lead)).toEqual({
    text: [
      '#### `New lead: Ada <b>*King*</b>`',
      '`email` `ada@example.com`',
      '`message` `Hi @channel & <!here>`',
      '`see [this](https://evil.example)`',
      '`Score` `40 (B)`',
      '[Open in Leadgate](https://leads.example/w/1/leads/2)',
    ].join('\n'),
  });
});

test('Mattermost gets a digest with a line for each lead', () => {
  expect(bodyOf('mattermost', digest).text.split('\n')).toEqual([
    '#### `3 leads`',
    '`New lead: Ada <b>*King*</b>` `email: ada@example.com` [Open](https://leads.example/w/1/leads/2)',
    '`Destination disabled: CRM`',
    'and 1 more',
    '[Open in Leadgate](https://leads.example/w/1/leads)',
  ]);
});

const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
const bold = { weight: 'Bolder' };
const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });

test('Teams gets a lead as an Adaptive Card whose texts are runs', () => {
  expect(bodyOf('teams', lead)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(run('New lead: Ada <b>*King*</b>', { ...bold, size: 'Large' })),
            block(run('email: ', bold), run('ada@example.com')),
            block(run('message: ', bold), run('Hi @channel & <!here>\nsee [this](https://evil.example)')),
            block(run('Score: ', bold), run('40 (B)')),
          ],
          actions: [
            { type: 'Action.OpenUrl', title: 'Open in Leadgate', url: 'https://leads.example/w/1/leads/2' },
          ],
          msteams: { width: 'Full' },
        },
      },
    ],
  });
});

test('Teams gets a digest with a block for each lead', () => {
  const { body, actions } = bodyOf('teams', digest).attachments[0].content;
  const selectAction = { type: 'Action.OpenUrl', title: 'Open', url: 'https://leads.example/w/1/leads/2' };
  expect(body).toEqual([
    block(run('3 leads', { ...bold, size: 'Large' })),
    block(
      run('New lead: Ada <b>*King*</b>', bold),
      run('\nemail: ada@example.com'),
      run(' '),
      run('Open', { selectAction }),
    ),
    block(run('Destination disabled: CRM', bold)),
    block(run('and 1 more')),
  ]);
  expect(actions[0].url).toBe('https://leads.example/w/1/leads');
});

test('Discord gets a lead with every punctuation escaped, and may mention nobody', () => {
  expect(bodyOf('discord', lead)).toEqual({
    content: '**New lead\\: Ada \\<b\\>\\*King\\*\\<\\/b\\>**',
    embeds: [
      {
        description: [
          '**email:** ada\\@example\\.com',
          '**message:** Hi \\@channel \\& \\<\\!here\\>',
          'see \\[this\\]\\(https\\:\\/\\/evil\\.example\\)',
          '**Score:** 40 \\(B\\)',
          '[Open in Leadgate](https://leads.example/w/1/leads/2)',
        ].join('\n'),
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test('Discord gets a digest with a line for each lead', () => {
  expect(bodyOf('discord', digest)).toEqual({
    content: '**3 leads**',
    embeds: [
      {
        description: [
          '**New lead\\: Ada \\<b\\>\\*King\\*\\<\\/b\\>** [Open](https://leads.example/w/1/leads/2)',
          'email\\: ada\\@example\\.com',
          '**Destination disabled\\: CRM**',
          'and 1 more',
          '[Open in Leadgate](https://leads.example/w/1/leads)',
        ].join('\n'),
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test('a message without facts and link has no empty embed in Discord', () => {
  const bare = { title: 'Test lead', facts: [], url: null, replyTo: null };
  expect(bodyOf('discord', bare)).toMatchObject({ content: '**Test lead**', embeds: [] });
});

test('a URL of the service cannot end its own link', () => {
  const odd = { ...lead, url: 'https://leads.example/a|b)>c' };
  expect(bodyOf('slack', odd).blocks.at(-1).text.text).toBe(
    '<https://leads.example/a%7cb%29%3ec|Open in Leadgate>',
  );
  expect(bodyOf('mattermost', odd).text).toContain('(https://leads.example/a%7cb%29%3ec)');
});
