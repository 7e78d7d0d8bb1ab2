import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Lexer, walkTokens } from 'marked';
import { type Assets, layout, type Shown } from './layout.ts';
import { fileAddress, isOfferedFile, linkTarget, pictureAddress } from './links.ts';
import { type Page, readSections, root } from './pages.ts';
import { renderPage } from './render.ts';
import { searchPassages } from './search-index.ts';

const prefix = '/docs/';

/** Writes all pages, and the files they link to, to a folder that already contains the assets. */
export function writeSite(
  folder: string,
  { script, style }: Omit<Assets, 'searchIndex'>,
  hash: string,
): void {
  const sections = readSections();
  const pages = sections.flatMap((section) => section.pages);
  const sources = new Set(pages.map(({ source }) => source));
  const rendered = pages.map((page) => renderPage(page.source, page.markdown, sources));
  const searchIndex = `${prefix}assets/search-${hash}.json`;
  const passages = pages.flatMap((page, place) => searchPassages(page, rendered[place] as never));
  write(folder, searchIndex, JSON.stringify(passages));

  const assets = { script, style, searchIndex };
  for (const [place, page] of pages.entries()) {
    const { html, headings } = rendered[place] as (typeof rendered)[number];
    const shown = { page, html, headings, previous: pages[place - 1], next: pages[place + 1] };
    const name = page.address === '/docs' ? `${prefix}home` : page.address;
    write(folder, `${name}.html`, layout(shown, sections, assets));
  }
  write(folder, `${prefix}not-found.html`, layout(notFound, sections, assets));
  for (const source of offeredFiles(pages))
    write(folder, fileAddress(source), readFileSync(join(root, source)));
  for (const source of shownPictures(pages)) {
    const address = pictureAddress({ kind: 'file', source });
    if (address !== null) write(folder, address, readFileSync(join(root, source)));
  }
  for (const name of ['favicon.svg', 'color-scheme.js'])
    copyFileSync(join(root, 'web/public', name), join(folder, name));
}

const notFound: Shown = {
  page: { address: '', title: 'Not found', section: '' },
  html: '<h1>Page not found</h1>\n<p>It may have moved. Search for it, or start at the <a href="/docs">overview</a>.</p>\n',
  headings: [],
  previous: undefined,
  next: undefined,
};

function write(folder: string, address: string, content: string | Buffer): void {
  const path = join(folder, address.slice(prefix.length));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function offeredFiles(pages: readonly Page[]): Set<string> {
  const files = pages.flatMap(({ source, markdown }) =>
    linksIn(markdown).flatMap((href) => {
      const target = linkTarget(source, href);
      return target.kind === 'file' && isOfferedFile(target.source) ? [target.source] : [];
    }),
  );
  return new Set(files);
}

function shownPictures(pages: readonly Page[]): Set<string> {
  const files = pages.flatMap(({ source, markdown }) =>
    picturesIn(markdown).flatMap((href) => {
      const target = linkTarget(source, href);
      return target.kind === 'file' ? [target.source] : [];
    }),
  );
  return new Set(files);
}

/** The targets of all links in a Markdown file. */
export function linksIn(markdown: string): string[] {
  return addressesIn(markdown, 'link');
}

export function picturesIn(markdown: string): string[] {
  return addressesIn(markdown, 'image');
}

function addressesIn(markdown: string, type: 'link' | 'image'): string[] {
  const found: string[] = [];
  walkTokens(Lexer.lex(markdown), (token) => {
    if (token.type === type) found.push(token.href);
  });
  return found;
}
