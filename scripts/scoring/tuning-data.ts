import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordHash } from '../../src/domain/score/reading/word-hash.ts';

/** Which part of the data a line belongs to. By its hash, so that later runs cannot mix the parts. */
export type Part = 'train' | 'calibrate' | 'held_back';

export function partOf(line: string): Part {
  const bucket = (wordHash(line) >>> 3) % 5;
  return bucket === 0 ? 'held_back' : bucket === 1 ? 'calibrate' : 'train';
}

interface LabelledText {
  readonly isSpam: boolean;
  readonly text: string;
}

export interface TuningData {
  readonly disposableDomains: readonly string[];
  readonly legitimateDomains: readonly string[];
  /** Domains of real sites of all kinds. Optional: empty without the file. */
  readonly moreDomains: readonly string[];
  /** Domains on public lists of disposable and abused domains. Optional, too. */
  readonly listedDomains: readonly string[];
  /** Those of them that were listed before the disposable domains above. Optional; for evaluation. */
  readonly earlierDomains: readonly string[];
  readonly firstNames: readonly string[];
  readonly surnames: readonly string[];
  readonly gibberish: readonly string[];
  readonly comments: readonly LabelledText[];
  readonly sms: readonly LabelledText[];
  readonly customerMessages: readonly string[];
}

export function readTuningData(folder: string): TuningData {
  const lines = (file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const linesIfAny = (file: string) => (existsSync(join(folder, file)) ? lines(file) : []);
  const labelled = (file: string) =>
    lines(file).map((line) => ({
      isSpam: line.startsWith('spam\t'),
      text: line.slice(line.indexOf('\t') + 1),
    }));
  return {
    disposableDomains: lines('disposable-domains.txt'),
    legitimateDomains: lines('legitimate-domains.txt'),
    moreDomains: linesIfAny('more-domains.txt'),
    listedDomains: linesIfAny('listed-domains.txt'),
    earlierDomains: linesIfAny('earlier-domains.txt'),
    firstNames: lines('first-names.txt'),
    surnames: lines('surnames.txt'),
    gibberish: lines('gibberish-strings.txt'),
    comments: labelled('comments.tsv'),
    sms: labelled('sms-messages.tsv'),
    customerMessages: lines('customer-messages.txt'),
  };
}

/** Universities are not companies: the target for company domains is measured without them. */
export function isUniversity(domain: string): boolean {
  return /\b(?:edu|ac)\b|univ|uni-|college|school|\b(?:fh|hs|tu|th)-/.test(domain);
}

/** Small, fast and deterministic. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as Item, copy[at] as Item];
  }
  return copy;
}

/** The quantile: the value that the given fraction of the values is below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))] ?? 0;
}
