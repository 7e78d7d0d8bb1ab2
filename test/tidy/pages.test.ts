import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonPages } from '../../scripts/reason-pages.ts';
import { page as enrichmentPage } from '../../scripts/write-enrichment.ts';
import { rules } from '../../src/domain/score/rules.ts';
import { everything, filesIn, pathsIn, root } from './files.ts';

test('the pages of rejection reasons are what the table says: run npm run docs:reasons after a change', () => {
  const pages = reasonPages();
  for (const [name, page] of pages) expect(readFileSync(join(root, 'docs', name), 'utf8')).toBe(page);
  const written = readdirSync(join(root, 'docs/reasons')).map((name) => `reasons/${name}`);
  expect(written.filter((name) => !pages.has(name))).toEqual([]);
});

test('the page of scoring rules lists the table: run npm run docs:scoring after a change', () => {
  const page = readFileSync(join(root, 'docs/scoring.md'), 'utf8');
  for (const { code, points, decisive, text } of rules) {
    const shown = `| \`${code}\` | ${points}${decisive ? ', decisive' : ''} | ${text.replaceAll('{evidence}', '…')} |`;
    expect(page).toContain(shown);
  }
});

test('the page of enrichment is what the code says: run npm run docs:enrichment after a change', () => {
  expect(readFileSync(join(root, 'docs/enrichment.md'), 'utf8')).toBe(enrichmentPage);
});

test('every file that ARCHITECTURE.md, a README beside the code or a decision names is there', () => {
  const pages = [
    ...['src', 'web', 'site', 'packaging', 'docs/decisions'].flatMap((folder) => filesIn(folder, '.md')),
    { path: 'ARCHITECTURE.md', text: readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8') },
  ];
  const there = [...everything.map(({ path }) => path), ...pathsIn('migrations'), ...pathsIn('bin')];
  const isThere = (name: string) =>
    there.some((path) => `/${path}`.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, '')}`));
  const missing = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.(?:tsx?|js|sql))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(name))
      .map((name) => `${path} names ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the documented configuration is the one that is read', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const read = [...readFileSync(join(root, 'src/config.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+):/gm)].map(
    (match) => match[1],
  );
  const documented = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1]);
  expect(documented.toSorted()).toEqual(read.toSorted());
});

test('the lock file records no download address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});
