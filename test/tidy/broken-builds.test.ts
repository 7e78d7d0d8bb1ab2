import { expect, test } from 'vitest';
import { brokenBuilds } from '../../chaos/broken-builds.ts';
import { scenarioNamed } from '../../chaos/scenarios/all.ts';
import { earlyReturn } from '../../chaos/timing/early-return.ts';
import { type Breakage, brokenFiles } from '../../chaos/world/broken-build.ts';
import { brokenBuilds as brokenInSimulation } from '../../simulate/broken-builds.ts';
import { everything, filesIn } from './files.ts';

const migrations = filesIn('migrations', '.sql').toSorted((one, other) => (one.path < other.path ? -1 : 1));
const headers =
  /^create (?:or replace )?(?:unique )?(function|index|table|trigger|view) (?:if not exists )?(\w+)/gim;

interface Definition {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly at: number;
}

function definitionsIn({ path, text }: { readonly path: string; readonly text: string }): Definition[] {
  return [...text.matchAll(headers)].map(({ 1: kind = '', 2: name = '', index }) => ({
    kind,
    name,
    path,
    at: index,
  }));
}

/** The migration that replaces or drops it later; undefined for what is in use. */
function replacedIn({ kind, name, path, at }: Definition): string | undefined {
  const start = '(?:create (?:or replace )?(?:unique )?|drop )';
  const again = new RegExp(`^\\s*${start}${kind} (?:concurrently )?(?:if (?:not )?exists )?${name}\\b`, 'im');
  const later = migrations.filter((other) => other.path >= path);
  return later.find((other) => again.test(other.path === path ? other.text.slice(at + 1) : other.text))?.path;
}

/** What a substitution changes in a migration, and where that is replaced. */
function supersededBy({ file, from }: Breakage): string | undefined {
  const migration = migrations.find(({ path }) => path === file);
  if (migration === undefined) return undefined;
  const end = migration.text.indexOf(from) + from.length;
  const edited = definitionsIn(migration).findLast(({ at }) => at < end);
  const replaced = edited && replacedIn(edited);
  return replaced && `${edited.kind} ${edited.name} of ${file}, which ${replaced} replaces`;
}

const formerDrain = {
  file: 'migrations/0024_keys_used_anew.sql',
  from: 'on conflict (shard, workspace_id, submission_id) do nothing;',
  to: ';',
};

const builds = [
  ...brokenBuilds.map(({ name, scenario, breakages }) => ({
    name,
    breakages: [...(scenarioNamed(scenario).substitutions ?? []), ...breakages],
  })),
  ...brokenInSimulation.map(({ name, breakages }) => ({ name: `${name}, simulated,`, breakages })),
  { name: 'does no work for slugs nobody has', breakages: earlyReturn },
];

test.each(builds)('a build that $name can still be created from the code', ({ breakages }) => {
  expect(brokenFiles(breakages).size).toBe(new Set(breakages.map(({ file }) => file)).size);
});

test('no substitution edits SQL that a later migration replaces: edit the definition in use', () => {
  expect(supersededBy(formerDrain)).toMatch(/^function ingest_drain of .* which migrations\/0027/);
  const all = builds.flatMap(({ breakages }) => breakages);
  expect(all.some(({ file }) => file.startsWith('migrations/'))).toBe(true);
  expect(all.flatMap((breakage) => supersededBy(breakage) ?? [])).toEqual([]);
});

test('a comment that names a migration means a definition in use: name the latest', () => {
  const texts = [...everything, ...filesIn('src', '.md'), ...filesIn('docs', '.md')];
  const stale = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:(\w+) of `?)?migrations\/(\d{4})/g)].flatMap(({ 0: cited, 1: name, 2: number }) => {
      if (path === 'chaos/broken-builds.ts' || path.startsWith('test/')) return [];
      const functions = definitionsIn(
        migrations.find((migration) => migration.path.includes(`/${number}_`)) ?? { path: '', text: '' },
      ).filter(({ kind }) => kind === 'function');
      const meant = functions.filter((each) => each.name === name);
      const isStale = (meant.length > 0 ? meant : functions).every((each) => replacedIn(each) !== undefined);
      return functions.length > 0 && isStale ? [`${path}: ${cited}`] : [];
    }),
  );
  expect(stale).toEqual([]);
});
