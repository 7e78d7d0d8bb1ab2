import { existsSync, readdirSync } from 'node:fs';
import { readTable } from '../../../src/domain/words/word-table.ts';
import { randomNumbers } from '../tuning-data.ts';
import { slotValue } from './slots.ts';

/** What a text is: somebody asks us for something, sells to us, deceives us, or advertises to anyone. */
const textClasses = ['wanted', 'sales', 'fraud', 'advert'] as const;
export type TextClass = (typeof textClasses)[number];

/**
 * One written message with alternatives `{a|b}` and slots `<name>`, which stands for many. `author` wrote it without
 * knowing the templates of the others.
 */
export interface Template {
  readonly author: string;
  readonly textClass: TextClass;
  readonly family: string;
  readonly language: string;
  readonly text: string;
}

const folder = new URL('../texts/', import.meta.url);

/** The templates in `texts/<author>/<class>/<family>.txt`, in a fixed order. */
export function readTemplates(): Template[] {
  return namesIn(folder).flatMap((author) =>
    textClasses.flatMap((textClass) =>
      namesIn(new URL(`${author}/${textClass}/`, folder)).flatMap((file) =>
        readFamily(author, textClass, file),
      ),
    ),
  );
}

function namesIn(place: URL): string[] {
  return existsSync(place) ? readdirSync(place).toSorted() : [];
}

function readFamily(author: string, textClass: TextClass, file: string): Template[] {
  const templates: Template[] = [];
  const family = file.replace(/\.txt$/, '');
  readTable(new URL(`${author}/${textClass}/${file}`, folder), (text, language) => {
    templates.push({ author, textClass, family, language, text });
  });
  return templates;
}

/** One of the many texts that a template stands for; the same number gives the same text. */
export function expand({ text, language, textClass }: Template, number: number): string {
  const random = randomNumbers(number * 7_919 + text.length);
  const pick = (options: readonly string[]) => options[Math.floor(random() * options.length)] ?? '';
  return text
    .replace(/\{([^{}]*)\}/g, (_, options: string) => pick(options.split('|')))
    .replace(/<([a-z]+)>/g, (_, slot: string) => slotValue(slot, language, textClass === 'wanted', random))
    .replaceAll('\\n', '\n');
}
