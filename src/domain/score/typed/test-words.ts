import { readTable } from '../../words/word-table.ts';
import { TextScan } from '../reading/scan.ts';

type Section = 'test' | 'test message' | 'beside test' | 'answers' | 'sample surnames';
const sections: ReadonlySet<string> = new Set<Section>([
  'test',
  'test message',
  'beside test',
  'answers',
  'sample surnames',
]);
const sectionByWord = new Map<number, Section>();
const names = new Set<number>();
const scan = new TextScan();
readTable(new URL('test-words.txt', import.meta.url), (entry, section) => {
  scan.scan(entry);
  if (section === 'sample names') names.add(nameHash(scan));
  else if (!sections.has(section)) throw new Error(`unknown section [${section}]`);
  else if (scan.wordCount !== 1) throw new Error(`"${entry}" is not one word`);
  else if (sectionByWord.has(nameHash(scan))) throw new Error(`"${entry}" is there twice`);
  else sectionByWord.set(nameHash(scan), section as Section);
});

/** By the hashes that a scan has. */
export const sectionOfWord: ReadonlyMap<number, Section> = sectionByWord;
/** Hashes of whole names. */
export const sampleNames: ReadonlySet<number> = names;

/** The words of a name together, in order. `before` is the hash of a first name in another field. */
export function nameHash({ wordHashes, wordCount }: TextScan, before = 0): number {
  let hash = before;
  for (let word = 0; word < wordCount; word++)
    hash = (Math.imul(hash, 31) + (wordHashes[word] as number)) | 0;
  return hash;
}
