import type { DigestMessage } from '../digest-message.ts';
import type { Fact, Message } from '../message.ts';
import { openLeadText } from '../words.ts';
import { type ChatEntry, type ChatText, entryLinkText, fitted } from './chat-text.ts';

/** Teams accepts some 28 KB, and does not say in which encoding. */
const cardBytesMax = 25_000;

/** Texts of a lead are runs, the only element of an Adaptive Card in which Markdown has no meaning. */
export function teamsBody(message: Message | DigestMessage): object {
  return fitted(message, bodyOf, (body) => {
    const json = JSON.stringify(body);
    return Math.max(Buffer.byteLength(json), 2 * json.length) <= cardBytesMax;
  });
}

function bodyOf({ title, facts, entries, note, url }: ChatText): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block([{ ...run(title), weight: 'Bolder', size: 'Large' }]),
      ...facts.map(factBlock),
      ...entries.map(entryBlock),
      ...(note === null ? [] : [block([run(note)])]),
    ],
    ...(url === null ? {} : { actions: [openUrl(url, openLeadText)] }),
    msteams: { width: 'Full' },
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

function factBlock({ label, value }: Fact): object {
  return block([{ ...run(`${label}: `), weight: 'Bolder' }, run(value)]);
}

function entryBlock({ title, summary, url }: ChatEntry): object {
  return block([
    { ...run(title), weight: 'Bolder' },
    ...(summary === '' ? [] : [run(`\n${summary}`)]),
    ...(url === null ? [] : [run(' '), { ...run(entryLinkText), selectAction: openUrl(url, entryLinkText) }]),
  ]);
}

function block(inlines: readonly object[]): object {
  return { type: 'RichTextBlock', inlines };
}

/** Two braces would start a date, which is shown in the format of the reader. */
function run(text: string): { readonly type: string; readonly text: string } {
  return { type: 'TextRun', text: text.replace(/\{(?=\{)/g, '{\u200b') };
}

function openUrl(url: string, title: string): object {
  return { type: 'Action.OpenUrl', title, url };
}
