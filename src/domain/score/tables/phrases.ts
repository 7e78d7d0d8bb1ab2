import { readTable } from '../../words/word-table.ts';
import { type RuleCode, rules } from '../rules.ts';

export type PhraseGroup = Extract<RuleCode, `PHRASES_${string}`>;

export interface PhraseList {
  readonly group: PhraseGroup | 'buyer';
  readonly weight: number;
  readonly phrases: readonly string[];
}

export const phraseWeightMin = 4;
export const phraseWeightMany = 6;

const spamPhrases = readPhrases('phrases.txt');
const salesTalk = readPhrases('sales-talk.txt');

/** If lists of equal weight share a phrase, it counts for the first. */
export const phraseLists: readonly PhraseList[] = [...spamPhrases, ...salesTalk];
export const phraseGroups: readonly PhraseGroup[] = [
  ...new Set(spamPhrases.map(({ group }) => group).filter((group) => group !== 'buyer')),
];
export const buyerPhrases: readonly string[] = spamPhrases
  .filter(({ group }) => group === 'buyer')
  .flatMap(({ phrases }) => phrases);

/** A section is a `[list name]`, or a group and the weight of each of its phrases, such as `[PHRASES_SEO 5]`. */
function readPhrases(name: string): PhraseList[] {
  const sections = new Map<string, Set<string>>();
  readTable(new URL(name, import.meta.url), (line, section) => {
    if (!section.startsWith('list ')) groupAndWeight(section);
    const phrases = sections.get(section) ?? new Set();
    if (phrases.has(line)) throw new Error(`"${line}" is already in [${section}]`);
    for (const phrase of expanded(line, sections)) phrases.add(phrase);
    sections.set(section, phrases);
  });
  return [...sections]
    .filter(([section]) => !section.startsWith('list '))
    .map(([section, phrases]) => ({ ...groupAndWeight(section), phrases: [...phrases] }));
}

function groupAndWeight(section: string): Pick<PhraseList, 'group' | 'weight'> {
  const [name, weight] = section.split(' ');
  const group = name === 'buyer' ? name : rules.find(({ code }) => code === name && isGroup(code))?.code;
  if (group === undefined || !/^\d$/.test(weight ?? '')) throw new Error(`unknown section [${section}]`);
  return { group: group as PhraseList['group'], weight: Number(weight) };
}

function isGroup(code: string): boolean {
  return code.startsWith('PHRASES_');
}

/** "{we are} {supply}": each entry of one list with each of the other. */
function expanded(line: string, sections: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const [whole, name] = /\{(.+?)\}/.exec(line) ?? [];
  if (whole === undefined) return [line];
  const list = sections.get(`list ${name}`);
  if (list === undefined) throw new Error(`unknown list ${whole}`);
  return [...list].flatMap((entry) => expanded(line.replace(whole, entry), sections));
}
