import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { rolldown } from 'rolldown';
import {
  type BuildRecipe,
  buildFolder,
  docsRecipe,
  sdkRecipe,
  webRecipe,
} from '../src/http/site/build-recipe.ts';

/**
 * Builds dist/, which the npm package runs: Node does not strip types below node_modules, so the sources are compiled. dist
 * has the layout of the repository, so that compiled files find their data under the same paths.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const node = process.execPath;
const run = (...command: string[]) => execFileSync(node, command, { cwd: root, stdio: 'inherit' });

rmSync(dist, { recursive: true, force: true });
rmSync(join(root, 'clients/node/dist'), { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
run('node_modules/typescript/bin/tsc', '-p', 'clients/node');
keepOneClient();
await bundlePackages();
run('scripts/build-web.ts');
run('scripts/build-docs.ts');
run('scripts/build-sdk.ts');
copyData('src');
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true });
// The command line reads its version from it, and Node that these files are modules.
cpSync(join(root, 'package.json'), join(dist, 'package.json'));
copyBuild(webRecipe, 'web/dist');
copyBuild(docsRecipe, 'site/dist');
copyBuild(sdkRecipe, 'clients/browser/dist');

/** The package contains the built client for senders. The command line uses it too, instead of a second copy. */
function keepOneClient(): void {
  const compiled = join(dist, 'clients/node/src');
  for (const name of readdirSync(compiled)) rmSync(join(compiled, name));
  writeFileSync(
    join(compiled, 'leadgate.js'),
    "export * from '../../../../clients/node/dist/leadgate.js';\n",
  );
}

/**
 * Packages that need a newer Node than 20 are development dependencies, so that npm on Node 20 does not install them and warn.
 * Those that the compiled files import are bundled where Node finds them.
 */
async function bundlePackages(): Promise<void> {
  const modules = join(dist, 'node_modules');
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const compiled = readdirSync(join(dist, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(dist, 'src', path), 'utf8'))
    .join('\n');
  const names = Object.keys(devDependencies).filter((name) => compiled.includes(` from '${name}'`));
  const others = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !names.includes(name));
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, name])),
    platform: 'node',
    external: others.map((name) => new RegExp(`^${name}(?:/|$)`)),
  });
  const { output } = await bundle.write({
    dir: modules,
    entryFileNames: '[name]/index.js',
    chunkFileNames: '[name]-[hash].mjs',
  });
  for (const name of names)
    writeFileSync(join(modules, name, 'package.json'), '{ "type": "module", "exports": "./index.js" }\n');
  const sources = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  writeFileSync(join(modules, 'LICENCES.txt'), licencesOf(sources));
}

function licencesOf(sources: readonly string[]): string {
  const folders = sources.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const licences = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
    return `${name} ${version}, ${license}\n\n${text.trim()}\n`;
  });
  return licences.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Word lists, models and other data beside the sources. */
function copyData(folder: string): void {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (entry.isFile() && !['.ts', '.md'].includes(extname(path))) cpSync(join(root, path), join(dist, path));
  }
}

function copyBuild(recipe: BuildRecipe, folder: string): void {
  const build = buildFolder(recipe);
  cpSync(build, join(dist, folder, basename(build)), { recursive: true });
}
