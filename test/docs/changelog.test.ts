import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

test('the changelog starts with Unreleased, followed by dated versions, newest first', () => {
  const [first, ...versions] = headings;
  expect(first).toBe('Unreleased');
  expect(versions.filter((heading) => !/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/.test(heading))).toEqual([]);
  const dates = versions.map((heading) => heading.slice(-10));
  expect(dates).toEqual(dates.toSorted().reverse());
});

test('the version of the package is in the changelog', () => {
  expect(headings.some((heading) => heading.startsWith(`${version} - `))).toBe(true);
});

test('changes are grouped as in Keep a Changelog, each group once per version', () => {
  const kinds = ['Upgrade notes', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  for (const part of changelog.split(/^## /m).slice(1)) {
    const groups = [...part.matchAll(/^### (.+)$/gm)].map(([, group]) => group);
    expect(groups.filter((group) => !kinds.includes(group as string))).toEqual([]);
    expect(new Set(groups).size).toBe(groups.length);
  }
});
