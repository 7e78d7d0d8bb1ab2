import type { DigestMessage } from '../digest-message.ts';
import { type Fact, type Message, messageLimits } from '../message.ts';
import { lineOf, shortened } from '../plain-text.ts';

/** What a chat shows, shortened to the room that there is. Nothing in it is escaped: each service escapes for itself. */
export interface ChatText {
  /** One line. */
  readonly title: string;
  /** Of one lead. */
  readonly facts: readonly Fact[];
  /** Of a digest. */
  readonly entries: readonly ChatEntry[];
  /** One line below the entries. */
  readonly note: string | null;
  readonly url: string | null;
}

export interface ChatEntry {
  /** One line. */
  readonly title: string;
  /** One line with a few facts; empty if there is no room for them. */
  readonly summary: string;
  readonly url: string | null;
}

export const entryLinkText = 'Open';
/** In place of a field's name that has nothing to see. */
const nameless = '(no name)';

interface Room {
  /** For each text. */
  readonly characters: number;
  /** Whether each entry of a digest has a link. */
  readonly hasEntryLinks: boolean;
}

// The longest texts are cut first, because short ones say the most. A full title is worth more than a link of its own.
const rooms: readonly Room[] = [
  ...[1_000, 750, 500, 350, 250, 180, 120, 80, 60, 40].map((characters) => ({
    characters,
    hasEntryLinks: true,
  })),
  ...[150, 80, 60, 40, 30, 20, 12, 8].map((characters) => ({ characters, hasEntryLinks: false })),
];

const linesMax = 20;
const summaryFacts = 3;
const summaryCharacters = 80;

/** The body with the most of a message that a service accepts. */
export function fitted<Body>(
  message: Message | DigestMessage,
  write: (text: ChatText) => Body,
  fits: (body: Body) => boolean,
): Body {
  for (const room of rooms) {
    const body = write('entries' in message ? digestText(message, room) : messageText(message, room));
    if (fits(body)) return body;
  }
  throw new Error('the message does not fit');
}

function messageText({ title, facts, url }: Message, { characters }: Room): ChatText {
  return { title, facts: facts.map((fact) => factText(fact, characters)), entries: [], note: null, url };
}

function digestText({ title, entries, more, url }: DigestMessage, room: Room): ChatText {
  return {
    title,
    facts: [],
    entries: entries.map((entry) => entryText(entry, room)),
    note: more > 0 && entries.length > 0 ? `and ${more} more` : null,
    url,
  };
}

function entryText({ title, facts, url }: Message, { characters, hasEntryLinks }: Room): ChatEntry {
  const summary = facts.slice(0, summaryFacts).map((fact) => {
    const { label, value } = factText(fact, summaryCharacters);
    return `${label}: ${lineOf(value, summaryCharacters)}`;
  });
  return {
    title: shortened(title, characters),
    summary: hasEntryLinks && characters > summaryCharacters ? summary.join(' · ') : '',
    url: hasEntryLinks ? url : null,
  };
}

function factText({ label, value }: Fact, characters: number): Fact {
  const name = shortened(label, Math.min(characters, messageLimits.labelCharacters));
  return { label: name.trim() === '' ? nameless : name, value: shortened(fewLines(value), characters) };
}

/** Nobody can push the other facts out of sight. */
function fewLines(text: string): string {
  const lines = text.replace(/\n\s*\n/g, '\n\n').split('\n');
  return lines.length <= linesMax ? lines.join('\n') : `${lines.slice(0, linesMax).join('\n').trimEnd()}…`;
}

/** Shortened until its escaped form has the length. */
export function escapedWithin(
  text: string,
  charactersMax: number,
  escaped: (text: string) => string,
): string {
  let characters = Math.min(text.length, charactersMax);
  for (;;) {
    const result = escaped(shortened(text, characters));
    if (result.length <= charactersMax) return result;
    characters = Math.floor(characters * 0.9);
  }
}

/** For markup in which these characters end a link. */
export function linkUrl(url: string): string {
  return url.replace(/[<>()|]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** The lines that have something to see. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
