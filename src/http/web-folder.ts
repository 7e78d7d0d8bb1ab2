import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
export const webSourceFolder = join(root, 'web');
/** Git ignores it. Each build has a folder of its own in it, named by what it was made from. */
export const webBuildsFolder = join(webSourceFolder, 'dist');

/** Everything that ends up in the browser, or decides how it gets there. */
const ingredients = [
  'web',
  'clients',
  'src/contract',
  'src/domain',
  'scripts/build-web.ts',
  'package-lock.json',
];

/** Where the build of the present sources is, or will be. */
export function webBuildFolder(): string {
  const hash = createHash('sha256');
  for (const path of ingredients.flatMap((name) => filesAt(join(root, name))).toSorted()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return join(webBuildsFolder, hash.digest('hex').slice(0, 20));
}

export function isWebBuilt(): boolean {
  return existsSync(webBuildFolder());
}

/** A service that was installed without its sources has nothing to compare; it serves the build it has. */
export function anyWebBuild(): string | null {
  const builds = existsSync(webBuildsFolder) ? readdirSync(webBuildsFolder) : [];
  const newest = builds.find((name) => !name.startsWith('.'));
  return newest === undefined ? null : join(webBuildsFolder, newest);
}

function filesAt(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(webBuildsFolder))
    .map((entry) => join(entry.parentPath, entry.name));
}
