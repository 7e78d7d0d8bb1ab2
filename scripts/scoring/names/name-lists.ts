import { readdirSync } from 'node:fs';
import { readTable } from '../../../src/domain/words/word-table.ts';

/** Names of one country or language, each a single word. */
export interface NameList {
  readonly country: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const folder = new URL('.', import.meta.url);

/** The lists next to this file, by country. */
export function readNameLists(): NameList[] {
  const lists = new Map<string, { country: string; first: string[]; last: string[] }>();
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith('.txt')) continue;
    readTable(new URL(file, folder), (line, section) => {
      const [country = '', part] = section.split(' ');
      if (part !== 'first' && part !== 'last') throw new Error(`[${section}] names neither first nor last`);
      const list = lists.get(country) ?? { country, first: [], last: [] };
      lists.set(country, list);
      list[part].push(...line.split(/\s+/));
    });
  }
  return [...lists.values()];
}
