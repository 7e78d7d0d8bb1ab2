import { readTable } from '../../words/word-table.ts';
import { type RuleCode, rules } from '../rules.ts';

export type PhraseGroup = Extract<RuleCode, `PHRASES_${string}`>;

export interface PhraseList {
  readonly group: PhraseGroup;
  readonly weight: number;
  readonly phrases: readonly string[];
}

/** If lists of equal weight share a phrase, it counts for the first. */
export const phraseLists: readonly PhraseList[] = readPhrases();
export const phraseGroups: readonly PhraseGroup[] = [...new Set(phraseLists.map(({ group }) => group))];

/** A section is a group and the weight of each of its phrases, such as `[PHRASES_SEO 5]`. */
function readPhrases(): PhraseList[] {
  const sections = new Map<string, Set<string>>();
  readTable(new URL('phrases.txt', import.meta.url), (phrase, section) => {
    groupAndWeight(section);
    const phrases = sections.get(section) ?? new Set();
    if (phrases.has(phrase)) throw new Error(`"${phrase}" is already in [${section}]`);
    sections.set(section, phrases.add(phrase));
  });
  return [...sections].map(([section, phrases]) => ({ ...groupAndWeight(section), phrases: [...phrases] }));
}

function groupAndWeight(section: string): Pick<PhraseList, 'group' | 'weight'> {
  const [name, weight] = section.split(' ');
  const group = rules.find(({ code }) => code === name && code.startsWith('PHRASES_'))?.code;
  if (group === undefined || !/^\d$/.test(weight ?? '')) throw new Error(`unknown section [${section}]`);
  return { group: group as PhraseGroup, weight: Number(weight) };
}
