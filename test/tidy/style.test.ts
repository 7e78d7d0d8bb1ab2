import { describe, expect, test } from 'vitest';
import {
  everything,
  filesIn,
  folderOf,
  offenders,
  pathsIn,
  type SourceFile,
  sources,
  webSources,
} from './files.ts';

/** The rules of style that a machine can check, each with a message that says what to do instead. */
const linesMax = 300;
const filesMax = 16;

test('only config.ts reads the environment', () => {
  const allowed = new Set(['src/config.ts']);
  expect(offenders(sources, ({ path, text }) => text.includes('process.env') && !allowed.has(path))).toEqual(
    [],
  );
});

test('only src/time knows timers and clocks: take a Clock, so that tests and simulations own the time', () => {
  const ours = /^src\/(?:time|cli|demo)\//;
  const timers =
    /\b(?:setTimeout|setInterval|setImmediate)\(|timers\/promises|\bDate\.now\b|\bperformance\.now\b|AbortSignal\.timeout|\bMath\.random\b|\brandomUUIDv7\b/;
  const quoted = /'[^'\n]*'|`[^`]*`/g;
  const isOffending = ({ path, text }: SourceFile) =>
    !ours.test(path) &&
    timers.test(text.replaceAll(/'node:timers\/promises'/g, 'timers/promises').replaceAll(quoted, ''));
  expect(offenders(sources, isOffending)).toEqual([]);
});

test('SQL stands in src/db only, one file per table', () => {
  const sql = /[`'"]\s*(?:select .* from |insert into |update \w+ set |delete from )/i;
  expect(offenders(sources, ({ path, text }) => sql.test(text) && !path.startsWith('src/db/'))).toEqual([]);
});

test('a statement is written with the sql tag and run by src/db/sql.ts, which says what is not', () => {
  const others = [
    'durability.ts',
    'pool.ts',
    'embedded/server.ts',
    'directory/directory.ts',
    'ingest/ingest-commit.ts',
    'ingest/ingest-drain.ts',
    'ingest/postgres-ingest.ts',
  ].map((name) => `src/db/${name}`);
  const allowed = new Set(['src/db/sql.ts', ...others]);
  const runs = /\.query[(<]/;
  expect(offenders(sources, ({ path, text }) => runs.test(text) && !allowed.has(path))).toEqual([]);
});

test(`no file has more than ${linesMax} lines: something in it wants to be a file of its own`, () => {
  expect(offenders(everything, ({ text }) => text.split('\n').length > linesMax)).toEqual([]);
});

test(`no folder of code has more than ${filesMax} files: two subjects in it want folders of their own`, () => {
  const code = 'bench bin chaos clients packaging scripts simulate site src test web'.split(' ');
  const folders = Map.groupBy(code.flatMap(pathsIn), folderOf);
  const crowded = [...folders].filter(([, files]) => files.length > filesMax);
  expect(crowded.map(([folder, files]) => `${folder} has ${files.length}`)).toEqual([]);
});

test('no folder or file is called by what it is not', () => {
  const bucket = /(?:^|\/)(?:utils?|lib|helpers?|common|core|misc|shared|index)(?:\/|\.tsx?$)/;
  expect(offenders(everything, ({ path }) => bucket.test(path))).toEqual([]);
});

describe('a test never races', () => {
  const tests = [
    ...filesIn('src', '.test.ts'),
    ...filesIn('test', '.ts').filter(({ path }) => !path.startsWith('test/support/')),
  ].filter(({ path }) => !path.startsWith('test/tidy/'));
  const linesWith = (pattern: RegExp) =>
    tests.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, number) => (pattern.test(line) ? [`${path}:${number + 1}`] : [])),
    );

  test('it waits for a condition, with eventually() of test/support or expect.poll, and not for a time', () => {
    const sleeps =
      /waitForTimeout|setTimeout\(\s*(?:resolve|done|r)\b|setTimeout\b.*from 'node:timers\/promises'|await sleep\(/;
    expect(linesWith(sleeps)).toEqual([]);
  });

  test('it has the same seed in every run: a fixed number, or that of test/support/properties.ts', () => {
    const fromTheClock =
      /(?:seed\w*["']?\s*[:=]|new Random\(|configureGlobal\().*(?:Date\.|performance\.|random|clock)/i;
    expect(linesWith(fromTheClock)).toEqual([]);
    expect(linesWith(/Math\.random\(/)).toEqual([]);
  });

  test('it asserts no rate, share, duration or memory under load: npm run chaos, hostile and timing measure those', () => {
    // Waits for as long as it is told to, at least, and no load makes a wait shorter.
    const lowerBound = 'test/clients/node-client-proxies.test.ts';
    const measured =
      /\bacceptedShare\b|\bp(?:50|99)Ms\b|\bmaxMs\b|memoryUsage|resident_memory|residentBytes|hrtime|performance\.now/;
    expect(linesWith(measured).filter((place) => !place.startsWith(lowerBound))).toEqual([]);
  });
});

test('the settings area never makes markup of text', () => {
  expect(offenders(webSources, ({ text }) => /dangerouslySetInnerHTML|innerHTML|eval\(/.test(text))).toEqual(
    [],
  );
});
