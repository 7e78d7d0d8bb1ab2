import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkTarget, pictureAddress } from '../../site/links.ts';
import { readSections, root } from '../../site/pages.ts';
import { renderPage } from '../../site/render.ts';
import { linksIn, picturesIn } from '../../site/site.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';

const pages = readSections().flatMap((section) => section.pages);
const sources = new Set(pages.map(({ source }) => source));
const read = (source: string) => readFileSync(join(root, source), 'utf8');

const anchorsOf = (source: string) =>
  renderPage(source, read(source), sources).headings.map(({ anchor }) => anchor);

/** The broken links of a file, one line each. */
function brokenLinksOf(source: string): string[] {
  return linksIn(read(source)).flatMap((href) => {
    const target = linkTarget(source, href);
    if (target.kind === 'missing') return [`${source}: ${href} leads nowhere`];
    if (target.kind !== 'page' || target.anchor === null) return [];
    return anchorsOf(target.source).includes(target.anchor) ? [] : [`${source}: ${href} has no such heading`];
  });
}

test('every link in the documentation and the README leads to an existing file and heading', () => {
  expect([...sources, 'README.md'].flatMap(brokenLinksOf)).toEqual([]);
});

test('every rejection reason has an anchor of its own, and the section that it leads to is about that reason', () => {
  const source = 'docs/rejection-reasons.md';
  const { headings } = renderPage(source, read(source), sources);
  const titles = new Map(headings.map(({ anchor, text }) => [anchor, text]));
  expect(titles.size).toBe(headings.length);
  for (const { code, anchor } of rejectionReasons)
    expect([anchor, titles.get(anchor)]).toEqual([anchor, code]);
});

test('every screenshot of the documentation and the README is in docs/pictures', () => {
  const shown = [...sources, 'README.md'].flatMap((source) =>
    picturesIn(read(source)).map((href) => [`${source}: ${href}`, linkTarget(source, href)] as const),
  );
  expect(shown.length).toBeGreaterThan(6);
  expect(shown.filter(([, target]) => pictureAddress(target) === null).map(([name]) => name)).toEqual([]);
});

test('a link to a missing file is found, and a link to a heading is resolved', () => {
  expect(linkTarget('docs/overview.md', 'nothing.md').kind).toBe('missing');
  expect(linkTarget('docs/overview.md', '../../outside.md').kind).toBe('missing');
  expect(linkTarget('docs/recipes/relay.md', '../webhook.md#the-secret')).toEqual({
    kind: 'page',
    source: 'docs/webhook.md',
    anchor: 'the-secret',
  });
});

test('every Markdown file below docs is in the navigation exactly once', () => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  expect(
    pages
      .map(({ source }) => source)
      .filter((source) => source.startsWith('docs/'))
      .toSorted(),
  ).toEqual(files.toSorted());
  expect(sources.size).toBe(pages.length);
});

test('every page starts with its title', () => {
  expect(pages.filter(({ markdown }) => !markdown.startsWith('# ')).map(({ source }) => source)).toEqual([]);
});

test('the only absolute links are those to the API description and reference', () => {
  const absolute = pages.flatMap(({ markdown }) => linksIn(markdown)).filter((href) => href.startsWith('/'));
  expect([...new Set(absolute)].toSorted()).toEqual(['/api/openapi.json', '/api/reference']);
});
