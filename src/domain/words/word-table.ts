import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Word tables are text files next to the code that reads them: one entry per line, `#` starts a comment line and
 * `[name]` a section. If `take` throws, the service does not start and the error names the file and line.
 */
export function readTable(file: URL, take: (entry: string, section: string) => void): void {
  let section = '';
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const entry = ownString(line.trim());
    if (entry === '' || entry.startsWith('#')) continue;
    if (entry.startsWith('[') && entry.endsWith(']')) {
      section = entry.slice(1, -1);
      continue;
    }
    try {
      take(entry, section);
    } catch (error) {
      throw new Error(`${basename(file.pathname)}:${index + 1}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** A part of a longer string refers to it and has its character width, which makes every comparison slower. */
function ownString(part: string): string {
  return Buffer.from(part).toString();
}

/** The sets of words in a table with exactly these sections. */
export function readWordSets<Section extends string>(
  file: URL,
  sections: readonly Section[],
): Readonly<Record<Section, ReadonlySet<string>>> {
  const sets = new Map<string, Set<string>>(sections.map((name) => [name, new Set()]));
  readTable(file, (word, section) => {
    const words = sets.get(section);
    if (words === undefined) throw new Error(`unknown section [${section}]`);
    if (words.has(word)) throw new Error(`"${word}" is already in [${section}]`);
    words.add(word);
  });
  for (const [name, { size }] of sets)
    if (size === 0) throw new Error(`${basename(file.pathname)}: [${name}] is missing`);
  return Object.fromEntries(sets) as Record<Section, Set<string>>;
}
