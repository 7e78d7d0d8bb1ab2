import type { DigestMessage } from './digest-message.ts';
import { escaped, escapedLines, htmlPage, linkHtml } from './email-html.ts';
import { type Fact, type Message, messageLimits } from './message.ts';
import { lineOf } from './plain-text.ts';
import { openLeadText, reasonText } from './words.ts';

export interface EmailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo: string | null;
}

export interface EmailFrame {
  /** Of the destination. */
  readonly destinationName: string;
  /** Where the reader can unsubscribe; null in a preview. */
  readonly unsubscribeUrl: string | null;
}

/** What one recipient reads, as plain text and as HTML. */
export function emailContent(message: Message | DigestMessage, frame: EmailFrame): EmailContent {
  const name = lineOf(frame.destinationName, messageLimits.labelCharacters);
  const isDigest = 'entries' in message;
  const subject = isDigest ? `${name}: ${message.title}` : message.title;
  const footer = footerOf(name, frame.unsubscribeUrl);
  const body = isDigest ? digestText(message) : messageText(message);
  return {
    subject: lineOf(subject, messageLimits.titleCharacters),
    text: `${[message.title, ...body, textFooter(footer)].join('\n\n')}\n`,
    html: htmlPage(message.title, isDigest ? digestHtml(message) : messageHtml(message), htmlFooter(footer)),
    replyTo: isDigest ? null : message.replyTo,
  };
}

interface Footer {
  readonly why: string;
  readonly unsubscribeUrl: string | null;
}

function footerOf(name: string, unsubscribeUrl: string | null): Footer {
  return {
    why: reasonText(name),
    unsubscribeUrl,
  };
}

/** Mail programs show what follows the two dashes as less important. */
function textFooter({ why, unsubscribeUrl }: Footer): string {
  return ['-- ', why, ...(unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`])].join('\n');
}

function htmlFooter({ why, unsubscribeUrl }: Footer): string {
  return unsubscribeUrl === null
    ? escaped(why)
    : `${escaped(why)}<br>${linkHtml('Unsubscribe', unsubscribeUrl)}`;
}

function messageText({ facts, url }: Message): string[] {
  return [facts.map(factText).join('\n'), ...(url === null ? [] : [`${openLeadText}: ${url}`])].filter(
    (part) => part !== '',
  );
}

/** Further lines are indented, so that no value looks like the fields, or the footer, that follow it. */
function factText({ label, value }: Fact): string {
  if (!value.includes('\n')) return `${label}: ${value}`;
  return `${label}:\n${value.replaceAll(/^/gm, '  ')}`;
}

function messageHtml({ facts, url }: Message): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td dir="auto" style="${labelStyle}">${escaped(label)}</td>` +
      `<td dir="auto" style="${valueStyle}">${escapedLines(value)}</td></tr>`,
  );
  const table =
    rows.length === 0 ? '' : `<table role="presentation" ${tableLayout}>${rows.join('\n')}</table>`;
  return url === null ? table : `${table}<p style="margin:16px 0">${linkHtml(openLeadText, url)}</p>`;
}

function digestText({ entries, more, url, openText }: DigestMessage): string[] {
  const lines = entries.map((entry) => (entry.url === null ? entry.title : `${entry.title}\n  ${entry.url}`));
  const last = [...moreText(more), ...(url === null ? [] : [`${openText}: ${url}`])];
  return [...lines.map((line) => `- ${line}`), ...last];
}

function digestHtml({ entries, more, url, openText }: DigestMessage): string {
  const rows = [
    ...entries.map((entry) => (entry.url === null ? escaped(entry.title) : linkHtml(entry.title, entry.url))),
    ...moreText(more),
  ].map((cell) => `<tr><td dir="auto" style="${valueStyle}">${cell}</td></tr>`);
  const table = `<table role="presentation" ${tableLayout}>${rows.join('\n')}</table>`;
  return url === null ? table : `${table}<p style="margin:16px 0">${linkHtml(openText, url)}</p>`;
}

function moreText(more: number): string[] {
  return more === 0 ? [] : [`and ${more} more`];
}

// A grey that can be read on white and on black.
const labelStyle = 'padding:4px 16px 4px 0;vertical-align:top;color:#767676';
const valueStyle = 'padding:4px 0;vertical-align:top;word-break:break-word;overflow-wrap:anywhere';
const tableLayout = 'cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse"';
