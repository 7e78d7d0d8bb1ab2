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

/** The style rules that can be checked automatically, each with a title that says what to do instead. */
const linesMax = 300;
const filesMax = 25;

test('only config.ts reads the environment', () => {
  const allowed = new Set(['src/config.ts']);
  expect(offenders(sources, ({ path, text }) => text.includes('process.env') && !allowed.has(path))).toEqual(
    [],
  );
});

test('only src/time uses timers and clocks: take a Clock, so that tests and simulations control the time', () => {
  const ours = /^src\/(?:time|cli|demo)\//;
  const timers =
    /(?<!socket\.)\b(?:setTimeout|setInterval|setImmediate)\(|timers\/promises|\bDate\.now\b|\bperformance\.now\b|AbortSignal\.timeout|\bMath\.random\b|\brandomUUIDv7\b/;
  const quoted = /'[^'\n]*'|`[^`]*`/g;
  const isOffending = ({ path, text }: SourceFile) =>
    !ours.test(path) &&
    timers.test(text.replaceAll(/'node:timers\/promises'/g, 'timers/promises').replaceAll(quoted, ''));
  expect(offenders(sources, isOffending)).toEqual([]);
});

test('SQL is in src/db only, one file per table', () => {
  const sql = /[`'"]\s*(?:select .* from |insert into |update \w+ set |delete from )/i;
  expect(offenders(sources, ({ path, text }) => sql.test(text) && !path.startsWith('src/db/'))).toEqual([]);
});

test('statements are written with the sql tag and run by src/db/sql.ts, which lists the exceptions', () => {
  const others = [
    'durability.ts',
    'pool.ts',
    'embedded/server.ts',
    'directory/directory.ts',
    'ingest/ingest-drain.ts',
    'ingest/released-query.ts',
    'ingest/postgres-ingest.ts',
  ].map((name) => `src/db/${name}`);
  const allowed = new Set(['src/db/sql.ts', ...others]);
  const runs = /\.query[(<]/;
  expect(offenders(sources, ({ path, text }) => runs.test(text) && !allowed.has(path))).toEqual([]);
});

test('connections are opened in src/db/hosts only, so that all of them follow the primary: use createClient or openPool', () => {
  const opens = /\bnew (?:pg\.)?(?:Client|Pool)\(/;
  const isOffending = ({ path, text }: SourceFile) => opens.test(text) && !path.startsWith('src/db/hosts/');
  expect(offenders(sources, isOffending)).toEqual([]);
});

test(`no file has more than ${linesMax} lines: move a part of it to another file`, () => {
  expect(offenders(everything, ({ text }) => text.split('\n').length > linesMax)).toEqual([]);
});

test(`no folder of code has more than ${filesMax} files: move a subject to its own folder`, () => {
  const code = 'bench bin chaos clients packaging scripts simulate site src test web'.split(' ');
  const folders = Map.groupBy(code.flatMap(pathsIn), folderOf);
  const crowded = [...folders].filter(([, files]) => files.length > filesMax);
  expect(crowded.map(([folder, files]) => `${folder} has ${files.length}`)).toEqual([]);
});

test('no folder or file has a catch-all name: name it after its subject', () => {
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

  test('it waits for a condition, with eventually() from test/support or expect.poll, never for a fixed time', () => {
    const sleeps =
      /waitForTimeout|setTimeout\(\s*(?:resolve|done|r)\b|setTimeout\b.*from 'node:timers\/promises'|await (?:\w+\.)*sleep\(/;
    // Its tests are about sleeping itself.
    const clockTest = 'src/time/clock.test.ts';
    expect(linesWith(sleeps).filter((place) => !place.startsWith(clockTest))).toEqual([]);
  });

  test('it uses the same seed in every run: a fixed number, or that of test/support/properties.ts', () => {
    const fromTheClock =
      /(?:seed\w*["']?\s*[:=]|new Random\(|configureGlobal\().*(?:Date\.|performance\.|random|clock)/i;
    expect(linesWith(fromTheClock)).toEqual([]);
    expect(linesWith(/Math\.random\(/)).toEqual([]);
  });

  test('it asserts no rate, duration or memory under load: npm run chaos, hostile and timing measure those', () => {
    // Asserts a minimum wait, which load cannot shorten.
    const lowerBound = 'test/clients/node-client-proxies.test.ts';
    const measured =
      /\bacceptedShare\b|\bp(?:50|99)Ms\b|\bmaxMs\b|memoryUsage|resident_memory|residentBytes|hrtime|performance\.now/;
    expect(linesWith(measured).filter((place) => !place.startsWith(lowerBound))).toEqual([]);
  });
});

test('the settings area never inserts text as markup', () => {
  expect(offenders(webSources, ({ text }) => /dangerouslySetInnerHTML|innerHTML|eval\(/.test(text))).toEqual(
    [],
  );
});
