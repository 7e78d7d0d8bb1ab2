import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
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

/** `kept-apart` has the authors that no model learns from. */
export type TemplateFolder = 'texts' | 'kept-apart';

/** The templates in `<folder>/<author>/<class>/<family>.txt`, in a fixed order. */
export function readTemplates(folder: TemplateFolder): Template[] {
  const place = new URL(`../${folder}/`, import.meta.url);
  return namesIn(place).flatMap((author) =>
    textClasses.flatMap((textClass) => {
      const ofClass = new URL(`${author}/${textClass}/`, place);
      return namesIn(ofClass).flatMap((file) => readFamily(author, textClass, new URL(file, ofClass)));
    }),
  );
}

function namesIn(place: URL): string[] {
  return existsSync(place) ? readdirSync(place).toSorted() : [];
}

function readFamily(author: string, textClass: TextClass, file: URL): Template[] {
  const templates: Template[] = [];
  const family = basename(file.pathname, '.txt');
  readTable(file, (text, language) => {
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
