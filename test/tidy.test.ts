import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reasonPages } from '../scripts/reason-pages.ts';
import { page as enrichmentPage } from '../scripts/write-enrichment.ts';
import { rules } from '../src/domain/score/rules.ts';

/** The rules of style that a machine can check, each with a message that says what to do instead. */
const root = join(import.meta.dirname, '..');
const linesMax = 300;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function filesIn(folder: string, ending: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
}

const sources = filesIn('src', '.ts').filter(({ path }) => !path.endsWith('.test.ts'));
const webSources = [...filesIn('web', '.ts'), ...filesIn('web', '.tsx')];
// A run of chaos keeps copies of the source among its results.
const others = ['test', 'bench', 'chaos', 'simulate', 'site', 'scripts', 'clients/node/src']
  .flatMap((folder) => filesIn(folder, '.ts'))
  .filter(({ path }) => !path.startsWith('chaos/results/'));
const everything = [...sources, ...others, ...webSources];

function offenders(files: SourceFile[], isOffending: (file: SourceFile) => boolean): string[] {
  return files.filter(isOffending).map(({ path }) => path);
}

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

test(`no file has more than ${linesMax} lines: something in it wants to be a file of its own`, () => {
  expect(offenders(everything, ({ text }) => text.split('\n').length > linesMax)).toEqual([]);
});

test('no folder or file is called by what it is not', () => {
  const bucket = /(?:^|\/)(?:utils?|lib|helpers?|common|core|misc|shared|index)(?:\/|\.tsx?$)/;
  expect(offenders(everything, ({ path }) => bucket.test(path))).toEqual([]);
});

describe('a test never races', () => {
  const tests = [
    ...filesIn('src', '.test.ts'),
    ...filesIn('test', '.ts').filter(({ path }) => !path.startsWith('test/support/')),
  ].filter(({ path }) => path !== 'test/tidy.test.ts');
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

describe('imports go one way', () => {
  const importsOf = ({ text }: SourceFile) =>
    [...text.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map((match) => match[1] ?? '');
  const planeOf = (path: string) => path.split('/')[1] ?? '';
  /** What the files of a folder may import, besides their own folder. */
  const allowed: Record<string, string[]> = {
    domain: ['time'],
    contract: ['domain'],
    db: ['domain', 'time', 'disk'],
    http: ['domain', 'time'],
    telemetry: ['domain', 'time', 'config.ts'],
    ingest: ['domain', 'db', 'http', 'telemetry', 'time', 'disk'],
    enrich: ['domain', 'db', 'telemetry', 'time'],
    manage: ['domain', 'contract', 'db', 'http', 'telemetry', 'time'],
    // 'node' is clients/node, which the command line sends leads with.
    cli: ['domain', 'contract', 'db', 'disk', 'manage', 'telemetry', 'time', 'config.ts', 'node'],
  };

  test.each(Object.entries(allowed))('src/%s', (folder, others) => {
    const files = sources.filter(({ path }) => planeOf(path) === folder);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .map((target) => planeOf(relative(root, join(root, file.path, '..', target))))
        .filter((target) => target !== folder && !others.includes(target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

test('of the service, the settings area knows the contract only', () => {
  const wrong = webSources.flatMap(({ path, text }) =>
    [...text.matchAll(/from '((?:\.\.\/)+src\/[^']+)'/g)]
      .filter(([, target]) => !/\/src\/contract\//.test(target ?? ''))
      .map(([, target]) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the settings area never makes markup of text', () => {
  expect(offenders(webSources, ({ text }) => /dangerouslySetInnerHTML|innerHTML|eval\(/.test(text))).toEqual(
    [],
  );
});

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
