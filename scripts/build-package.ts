import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildRecipe, buildFolder, docsRecipe, webRecipe } from '../src/http/site/build-recipe.ts';

/**
 * Makes dist/, which the npm package runs: Node strips no types below node_modules, so the sources are compiled. Everything
 * lies in dist as it lies in the repository, so that the compiled files find their data by the same paths.
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
copyData('src');
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true });
// The command line tells its version, and Node that these files are modules.
cpSync(join(root, 'package.json'), join(dist, 'package.json'));
copyBuild(webRecipe, 'web/dist');
copyBuild(docsRecipe, 'site/dist');

/** The client is in the package for its senders, built. The command line uses that one, not a copy of its own. */
function keepOneClient(): void {
  const compiled = join(dist, 'clients/node/src');
  for (const name of readdirSync(compiled)) rmSync(join(compiled, name));
  writeFileSync(
    join(compiled, 'leadgate.js'),
    "export * from '../../../../clients/node/dist/leadgate.js';\n",
  );
}

/** Lists, models and whatever else stands beside the sources. */
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
