import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Something that is built before it is served, and its sources. */
export interface BuildRecipe {
  readonly title: string;
  /** Missing in an installed package, which serves the build it comes with. */
  readonly script: string;
  /** Ignored by Git. Each build has its own folder in it, named after a hash of its sources. */
  readonly buildsFolder: string;
  /** Everything that affects the build. */
  readonly ingredients: readonly string[];
}

export const webRecipe: BuildRecipe = {
  title: 'settings area',
  script: join(root, 'scripts/build-web.ts'),
  buildsFolder: join(root, 'web/dist'),
  ingredients: [
    'web',
    'clients/fill-sample.ts',
    'clients/samples',
    'src/contract',
    'src/domain',
    'scripts/build-web.ts',
    'scripts/web-routes.ts',
    'scripts/publish-build.ts',
    'package-lock.json',
  ],
};

export const docsRecipe: BuildRecipe = {
  title: 'documentation',
  script: join(root, 'scripts/build-docs.ts'),
  buildsFolder: join(root, 'site/dist'),
  ingredients: [
    'docs',
    'site',
    'clients/samples',
    'clients/relay',
    'packaging',
    'web/public',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'scripts/build-docs.ts',
    'scripts/publish-build.ts',
    'package-lock.json',
  ],
};

export const sdkRecipe: BuildRecipe = {
  title: 'SDK for web pages',
  script: join(root, 'scripts/build-sdk.ts'),
  buildsFolder: join(root, 'clients/browser/dist'),
  ingredients: ['clients/browser', 'scripts/build-sdk.ts', 'scripts/publish-build.ts', 'package-lock.json'],
};

/** The folder of the build of the current sources. */
export function buildFolder(recipe: BuildRecipe): string {
  const hash = createHash('sha256');
  for (const path of recipe.ingredients.flatMap((name) => filesAt(join(root, name), recipe)).toSorted()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return join(recipe.buildsFolder, hash.digest('hex').slice(0, 20));
}

export function isBuilt(recipe: BuildRecipe): boolean {
  return existsSync(buildFolder(recipe));
}

/** An installed package has no sources to compare, so it serves the build it has. */
export function anyBuild({ buildsFolder }: BuildRecipe): string | null {
  const builds = existsSync(buildsFolder) ? readdirSync(buildsFolder) : [];
  const newest = builds.find((name) => !name.startsWith('.'));
  return newest === undefined ? null : join(buildsFolder, newest);
}

function filesAt(path: string, { buildsFolder }: BuildRecipe): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(buildsFolder))
    .map((entry) => join(entry.parentPath, entry.name));
}
