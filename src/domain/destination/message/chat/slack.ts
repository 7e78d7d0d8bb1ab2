import type { DigestMessage } from '../digest-message.ts';
import type { Fact, Message } from '../message.ts';
import { openLeadText } from '../words.ts';
import { type ChatEntry, type ChatText, entryLinkText, escapedWithin, fitted, linkUrl } from './chat-text.ts';

/** Of Block Kit, counted in what is sent: an escaped `&` has five characters. */
const limits = {
  headerCharacters: 150,
  fieldCharacters: 2_000,
  fieldsPerSection: 10,
  /** Of all blocks as JSON. Not documented; Slack refuses messages from somewhat above this. */
  blocksCharacters: 10_000,
} as const;

interface Body {
  readonly text: string;
  readonly blocks: readonly object[];
}

/**
 * Texts of a lead are `plain_text`, which has no formatting, so that nothing has to be escaped but the three characters that
 * are escaped everywhere. A link is text, because a click on a button would be reported to an app that does not exist.
 */
export function slackBody(message: Message | DigestMessage): object {
  const { text, blocks } = fitted(message, bodyOf, ({ blocks }) => {
    return JSON.stringify(blocks).length <= limits.blocksCharacters;
  });
  // A name behind an @ stays text, and previews of links would show what is behind a URL that a lead contains.
  return { text, blocks, link_names: false, unfurl_links: false, unfurl_media: false };
}

function bodyOf({ title, facts, entries, note, url }: ChatText): Body {
  return {
    // For notifications. Here `<!channel>` would have a meaning.
    text: escaped(title),
    blocks: [
      { type: 'header', text: plain(title, limits.headerCharacters) },
      ...sections(facts),
      ...entries.map(entrySection),
      ...(note === null ? [] : [{ type: 'context', elements: [plain(note)] }]),
      ...(url === null ? [] : [{ type: 'section', text: link(url, openLeadText) }]),
    ],
  };
}

function sections(facts: readonly Fact[]): object[] {
  const fields = facts.map(({ label, value }) => plain(`${label}\n${value}`));
  const count = Math.ceil(fields.length / limits.fieldsPerSection);
  return Array.from({ length: count }, (_, i) => ({
    type: 'section',
    fields: fields.slice(i * limits.fieldsPerSection, (i + 1) * limits.fieldsPerSection),
  }));
}

function entrySection({ title, summary, url }: ChatEntry): object {
  const text = plain(summary === '' ? title : `${title}\n${summary}`);
  return { type: 'section', fields: url === null ? [text] : [text, link(url, entryLinkText)] };
}

/** Without emoji: `:tada:` stays what it is. */
function plain(text: string, charactersMax: number = limits.fieldCharacters): object {
  return { type: 'plain_text', text: escapedWithin(text, charactersMax, escaped), emoji: false };
}

function link(url: string, text: string): object {
  return { type: 'mrkdwn', text: `<${escaped(linkUrl(url))}|${text}>`, verbatim: true };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
