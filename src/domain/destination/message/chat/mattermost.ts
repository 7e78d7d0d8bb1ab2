import type { DigestMessage } from '../digest-message.ts';
import type { Fact, Message } from '../message.ts';
import { openLeadText } from '../words.ts';
import { type ChatEntry, type ChatText, entryLinkText, fitted, linesOf, linkUrl } from './chat-text.ts';

/** The limit of servers with an old database; others accept four times as much. What is longer becomes two posts. */
const codePointsMax = 4_000;

/**
 * Texts of a lead are code, one span per line. A backslash would not do: Mattermost looks for mentions, channels, hashtags and
 * emoji after it has removed the backslashes. Nothing else stands around a span that its content could end.
 */
export function mattermostBody(message: Message | DigestMessage): object {
  return { text: fitted(message, textOf, (text) => [...text].length <= codePointsMax) };
}

function textOf({ title, facts, entries, note, url }: ChatText): string {
  return [
    `#### ${code(title)}`,
    ...facts.map(factLines),
    ...entries.map(entryLine),
    ...(note === null ? [] : [note]),
    ...(url === null ? [] : [link(url, openLeadText)]),
  ].join('\n');
}

function factLines({ label, value }: Fact): string {
  const [first, ...others] = linesOf(value).map(code);
  return [first === undefined ? code(label) : `${code(label)} ${first}`, ...others].join('\n');
}

function entryLine({ title, summary, url }: ChatEntry): string {
  return [
    code(title),
    ...(summary === '' ? [] : [code(summary)]),
    ...(url === null ? [] : [link(url, entryLinkText)]),
  ].join(' ');
}

/** Two backticks contain single ones. More would start a block of code at the beginning of a line. */
function code(line: string): string {
  if (!line.includes('`')) return `\`${line.trim()}\``;
  return `\`\` ${line.trim().replace(/`(?=`)/g, '`\u200b')} \`\``;
}

function link(url: string, text: string): string {
  return `[${text}](${linkUrl(url)})`;
}
