import { wordHash } from '../reading/word-hash.ts';

/** What the marks on the leads of one form have taught: how much more often something occurs in spam than in other leads. */
export interface LearnedModel {
  /** Pairs of the hash of a word and its weight, positive for spam. The words themselves are not kept. */
  readonly words: readonly number[];
  readonly domains: readonly LearnedDomain[];
}

export interface LearnedDomain {
  readonly kind: DomainKind;
  readonly domain: string;
  readonly weight: number;
}

/** Where a domain occurs: in the email address of the lead, or in a link. */
export type DomainKind = 'email' | 'link';

/** A number for each change of a form's model: stored scores name it. */
export interface NumberedModel {
  readonly number: number;
  readonly model: LearnedModel;
}

/** Weights are the logarithms of ratios, in hundredths. */
export const weightUnit = 100;
/** Together below 16 KB of JSON: every instance keeps the models of all forms in memory. */
export const wordsMax = 512;
export const domainsMax = 64;
export const domainCharactersMax = 64;

const salts: Readonly<Record<DomainKind, number>> = { email: 0x5bd1e995, link: 0x2c1b3c6d };

/** Differs from the hash of the same text as a word. */
export function domainHash(kind: DomainKind, domain: string): number {
  return wordHash(domain) ^ salts[kind];
}

/** Plain arrays, because it is also sent to threads. */
export interface CompiledModel {
  /** Pairs of hash and weight, by hash; a weight of 0 marks an empty slot. At least three quarters of the slots are empty. */
  readonly slots: Int32Array;
  readonly mask: number;
}

const slotsFirst = 64;
export const slotsMax = 4_096;

export function compileModel({ words, domains }: LearnedModel): CompiledModel {
  const entries: [hash: number, weight: number][] = domains
    .slice(0, domainsMax)
    .map(({ kind, domain, weight }) => [domainHash(kind, domain), weight]);
  for (let at = 0; at + 1 < Math.min(words.length, 2 * wordsMax); at += 2)
    entries.push([words[at] as number, words[at + 1] as number]);
  let count = slotsFirst;
  while (count < 4 * entries.length) count *= 2;
  const slots = new Int32Array(2 * count);
  const compiled = { slots, mask: count - 1 };
  for (const [hash, weight] of entries) {
    const slot = slotOf(compiled, hash);
    slots[2 * slot] = hash;
    slots[2 * slot + 1] = weight;
  }
  return compiled;
}

/** The slot with this hash, or the empty one where it would be. */
export function slotOf({ slots, mask }: CompiledModel, hash: number): number {
  for (let slot = firstSlot(hash) & mask; ; slot = (slot + 1) & mask)
    if (slots[2 * slot + 1] === 0 || slots[2 * slot] === hash) return slot;
}

/** Where the search for a hash begins; the mask limits it. */
export function firstSlot(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 12;
}
