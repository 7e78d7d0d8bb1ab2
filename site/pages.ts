import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homePage, navigation } from './navigation.ts';

export const root = join(import.meta.dirname, '..');

/** A Markdown file as a page of the site. */
export interface Page {
  /** Its path from the root of the repository: `docs/recipes/relay.md`. */
  readonly source: string;
  /** Its URL: `/docs/recipes/relay`. */
  readonly address: string;
  readonly title: string;
  readonly section: string;
  readonly markdown: string;
}

export interface Section {
  readonly title: string;
  readonly isFolded: boolean;
  readonly pages: readonly Page[];
}

export function readSections(): Section[] {
  return navigation.map(({ title, pages, isFolded = false }) => ({
    title,
    isFolded,
    pages: pages.flatMap(filesNamed).map((source) => readPage(source, title)),
  }));
}

function filesNamed(name: string): string[] {
  if (!name.endsWith('/*')) return [name];
  const folder = name.slice(0, -2);
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => `${folder}/${file}`);
}

function readPage(source: string, section: string): Page {
  const markdown = readFileSync(join(root, source), 'utf8');
  const heading = /^# (.+)$/m.exec(markdown)?.[1] ?? source;
  return { source, address: addressOf(source), title: heading.replaceAll('`', ''), section, markdown };
}

export function addressOf(source: string): string {
  if (source === homePage) return '/docs';
  const name = source.startsWith('docs/') ? source.slice('docs/'.length) : source.toLowerCase();
  return `/docs/${name.replace(/\.md$/, '')}`;
}
