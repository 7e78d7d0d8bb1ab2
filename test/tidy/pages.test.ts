import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everything, filesIn, pathsIn, root } from './files.ts';

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
