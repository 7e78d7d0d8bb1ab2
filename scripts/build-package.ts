import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
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
