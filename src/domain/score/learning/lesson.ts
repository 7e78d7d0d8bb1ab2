import { addressOf } from '../reading/link-address.ts';
import type { LeadReading } from '../reading/reading.ts';
import { type TextScan, wordKinds } from '../reading/scan.ts';
import { domainCharactersMax } from './learned-model.ts';

/** What can be learned from one lead: hashes of words of its texts, and domains. No names, addresses or numbers. */
export interface Lesson {
  readonly words: Int32Array;
  /** Of the email address; null for a provider of free addresses. */
  readonly mailDomain: string | null;
  /** Of links. */
  readonly hosts: readonly string[];
}

const wordsPerLeadMax = 256;
const hostsPerLeadMax = 8;
const latinLettersMin = 3;
const otherLettersMin = 2;
const lettersMax = 32;

/** Collects a lesson while the lead is scored, so that both read the same of it. */
export class LessonReader {
  readonly #words = new Set<number>();
  #mailDomain: string | null = null;
  #hosts: readonly string[] = [];

  take(scan: TextScan): void {
    const { wordHashes, wordCount } = scan;
    for (let word = 0; word < wordCount && this.#words.size < wordsPerLeadMax; word++)
      if (isWord(scan, word)) this.#words.add(wordHashes[word] as number);
  }

  end(reading: LeadReading): void {
    this.#mailDomain = mailDomainOf(reading);
    this.#hosts = hostsOf(reading);
  }

  get lesson(): Lesson {
    return { words: Int32Array.from(this.#words), mailDomain: this.#mailDomain, hosts: this.#hosts };
  }
}

/** Numbers and codes may identify someone, and are rarely the same in two leads. */
function isWord({ text, wordStarts, wordEnds, wordKinds: kinds }: TextScan, word: number): boolean {
  const start = wordStarts[word] as number;
  const letters = (wordEnds[word] as number) - start;
  if (kinds[word] === wordKinds.jumbled || letters > lettersMax) return false;
  const first = text.charCodeAt(start);
  if (first >= 48 && first <= 57) return false;
  return letters >= (kinds[word] === wordKinds.latin ? latinLettersMin : otherLettersMin);
}

/** Null for addresses that anyone can have: their domain says nothing. */
export function mailDomainOf({ email }: LeadReading): string | null {
  if (email === null || email.class === 'free' || email.class === 'relay') return null;
  return email.registrable.length > domainCharactersMax ? null : email.registrable;
}

const none: readonly string[] = [];

/** The hosts of links, each once, without that of the sender's own address. */
export function hostsOf({ links, email }: LeadReading): readonly string[] {
  if (links.length === 0) return none;
  const hosts = new Set<string>();
  for (const { field, start, end } of links) {
    const { name } = addressOf(field.value.slice(start, end));
    if (name === '' || name.length > domainCharactersMax || name === email?.registrable) continue;
    hosts.add(name);
    if (hosts.size >= hostsPerLeadMax) break;
  }
  return [...hosts];
}
