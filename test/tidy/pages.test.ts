import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasonPages } from '../../scripts/reason-pages.ts';
import { page as enrichmentPage } from '../../scripts/write-enrichment.ts';
import { rules } from '../../src/domain/score/rules.ts';
import { everything, filesIn, pathsIn, root } from './files.ts';

test('the pages of rejection reasons match the table: run npm run docs:reasons after a change', () => {
  const pages = reasonPages();
  for (const [name, page] of pages) expect(readFileSync(join(root, 'docs', name), 'utf8')).toBe(page);
  const written = readdirSync(join(root, 'docs/reasons')).map((name) => `reasons/${name}`);
  expect(written.filter((name) => !pages.has(name))).toEqual([]);
});

test('the scoring page lists every rule in the table: run npm run docs:scoring after a change', () => {
  const page = readFileSync(join(root, 'docs/scoring.md'), 'utf8');
  for (const { code, points, decisive, text } of rules) {
    const shown = `| \`${code}\` | ${points}${decisive ? ', decisive' : ''} | ${text.replaceAll('{evidence}', '…')} |`;
    expect(page).toContain(shown);
  }
});

test('the enrichment page matches the code: run npm run docs:enrichment after a change', () => {
  expect(readFileSync(join(root, 'docs/enrichment.md'), 'utf8')).toBe(enrichmentPage);
});

test('every file named in ARCHITECTURE.md, a README or a decision exists', () => {
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

test('the documented configuration variables are those that are read', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const read = [...readFileSync(join(root, 'src/config.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+):/gm)].map(
    (match) => match[1],
  );
  const documented = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1]);
  expect(documented.toSorted()).toEqual(read.toSorted());
});

test('the lock file contains no download URLs', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});
