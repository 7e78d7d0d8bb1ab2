import { describe, expect, test } from 'vitest';
import { docsRecipe, sdkRecipe, webRecipe } from '../../src/http/site/build-recipe.ts';
import { everything, importsOf, isTest, type SourceFile, sources, webSources } from './files.ts';

describe('imports go one way', () => {
  const planeOf = (path: string) => path.split('/')[1] ?? '';
  const configuration = ['config.ts', 'config-error.ts', 'config-values.ts', 'key-files.ts'];
  /** What the files of a folder may import besides their own folder. */
  const allowed: Record<string, string[]> = {
    time: [],
    disk: [],
    domain: ['time'],
    contract: ['domain'],
    db: ['domain', 'time', 'disk'],
    http: ['domain', 'time'],
    telemetry: ['domain', 'time', 'config.ts'],
    ingest: ['domain', 'db', 'http', 'telemetry', 'time', 'disk'],
    net: ['domain', 'time'],
    mail: ['domain'],
    channels: ['domain', 'db', 'mail', 'net', 'time'],
    relay: ['domain', 'db', 'time'],
    enrich: ['domain', 'db', 'net', 'relay', 'telemetry', 'time'],
    deliver: ['channels', 'domain', 'db', 'mail', 'net', 'time'],
    alarms: ['domain', 'db', 'mail', 'relay', 'time'],
    manage: ['channels', 'domain', 'contract', 'db', 'http', 'mail', 'net', 'telemetry', 'time'],
    // 'node' is clients/node, which the command line sends leads with.
    cli: ['domain', 'contract', 'db', 'disk', 'manage', 'telemetry', 'time', 'node', ...configuration],
  };

  test.each(Object.entries(allowed))('src/%s', (folder, others) => {
    const files = sources.filter(({ path }) => planeOf(path) === folder);
    const isWrong = (target: string) => planeOf(target) !== folder && !others.includes(planeOf(target));
    expect(importsWhere(files, isWrong)).toEqual([]);
  });
});

test('the settings area imports only the contract from the service', () => {
  const isWrong = (target: string) => target.startsWith('src/') && !target.startsWith('src/contract/');
  expect(importsWhere(webSources, isWrong)).toEqual([]);
});

test('schemas stay out of the browser: the settings area imports only types from contract files with schemas', () => {
  const values = webSources.map(({ path, text }) => ({
    path,
    text: text.replaceAll(/\bimport type [^;]*;/g, ''),
  }));
  const withSchemas = sources.filter(
    (file) =>
      file.path.startsWith('src/contract/') &&
      (file.text.includes("from 'zod'") ||
        importsOf(file).some((target) => !target.startsWith('src/domain/'))),
  );
  const isWrong = (target: string) => withSchemas.some(({ path }) => path === target);
  expect(importsWhere(values, isWrong)).toEqual([]);
});

test.each([
  ['settings area', webRecipe, webSources],
  ['SDK for web pages', sdkRecipe, everything.filter(({ path }) => path.startsWith('clients/browser/'))],
  ['documentation', docsRecipe, everything.filter(({ path }) => path.startsWith('site/'))],
])('the %s is rebuilt when anything that it imports has changed', (_, { ingredients }, files) => {
  const isIngredient = (path: string) =>
    ingredients.some((name) => path === name || path.startsWith(`${name}/`));
  expect(importsWhere(files, (target) => !isIngredient(target))).toEqual([]);
});

test('shipped code imports nothing from tests', () => {
  const shipped = everything.filter((file) => /^(?:src|web|clients)\//.test(file.path) && !isTest(file));
  const isWrong = (target: string) => target.startsWith('test/') || target.endsWith('.test.ts');
  expect(importsWhere(shipped, isWrong)).toEqual([]);
});

test('there are no import cycles, not even of types: move what both files need to a third file', () => {
  expect(cyclesIn(everything)).toEqual([]);
});

function importsWhere(files: SourceFile[], isWrong: (target: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(isWrong)
      .map((target) => `${file.path} imports ${target}`),
  );
}

/** A depth-first search: an import of a file on the current path closes a cycle. */
function cyclesIn(files: SourceFile[]): string[] {
  const fileAt = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const way: string[] = [];
  const cycles: string[] = [];
  const goInto = (path: string) => {
    const file = fileAt.get(path);
    if (file === undefined || done.has(path)) return;
    if (way.includes(path)) {
      cycles.push([...way.slice(way.indexOf(path)), path].join(' → '));
      return;
    }
    way.push(path);
    for (const target of importsOf(file)) goInto(target);
    way.pop();
    done.add(path);
  };
  for (const path of fileAt.keys()) goInto(path);
  return cycles;
}
