import type { DigestMessage } from '../digest-message.ts';
import type { Fact, Message } from '../message.ts';
import { openLeadText } from '../words.ts';
import { type ChatEntry, type ChatText, entryLinkText, fitted, linkUrl } from './chat-text.ts';

const descriptionCharactersMax = 4_096;

interface Body {
  readonly content: string;
  readonly description: string;
}

/**
 * The title is the content, which notifications show; the rest is an embed, which has room for more. A backslash makes any
 * punctuation literal, even in what would be a URL, a mention or a time stamp.
 */
export function discordBody(message: Message | DigestMessage): object {
  const { content, description } = fitted(message, bodyOf, (body) => {
    return body.description.length <= descriptionCharactersMax;
  });
  return {
    content,
    // An embed cannot be empty.
    embeds: description === '' ? [] : [{ description }],
    // Whatever the text says, nobody is notified.
    allowed_mentions: { parse: [] },
  };
}

function bodyOf({ title, facts, entries, note, url }: ChatText): Body {
  const lines = [
    ...facts.map(factText),
    ...entries.map(entryText),
    ...(note === null ? [] : [escaped(note)]),
    ...(url === null ? [] : [link(url, openLeadText)]),
  ];
  return { content: `**${escaped(title)}**`, description: lines.join('\n') };
}

function factText({ label, value }: Fact): string {
  return `**${escaped(label)}:** ${escaped(value)}`;
}

function entryText({ title, summary, url }: ChatEntry): string {
  const head = `**${escaped(title)}**${url === null ? '' : ` ${link(url, entryLinkText)}`}`;
  return summary === '' ? head : `${head}\n${escaped(summary)}`;
}

function link(url: string, text: string): string {
  return `[${text}](${linkUrl(url)})`;
}

function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
