import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildRecipe, buildFolder, isBuilt } from '../src/http/site/build-recipe.ts';

const largeBytesMin = 1_000_000;

/**
 * Builds and compresses what is not built yet, so that requests need no compression. The folder gets its final name only
 * when it is complete, so that concurrent or interrupted builds do no harm.
 */
export async function publishBuild(
  recipe: BuildRecipe,
  build: (folder: string) => Promise<unknown>,
): Promise<void> {
  if (isBuilt(recipe)) return;
  const target = buildFolder(recipe);
  const scratch = join(recipe.buildsFolder, `.building-${process.pid}`);
  // Later starts reuse this build: even when a test runs it, it must not contain React's slow development build.
  process.env.NODE_ENV = 'production';
  try {
    await build(scratch);
    compressAll(scratch);
    publish(scratch, target, recipe);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function compressAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(?:html|m?js|css|json|svg|txt)$/.test(entry.name)) continue;
    const bytes = readFileSync(path);
    // The best quality takes ten times as long, which a large file does not repay.
    const quality = bytes.length > largeBytesMin ? 9 : constants.BROTLI_MAX_QUALITY;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function publish(scratch: string, target: string, { buildsFolder }: BuildRecipe): void {
  mkdirSync(buildsFolder, { recursive: true });
  try {
    renameSync(scratch, target);
  } catch (error) {
    // Another process has built the same sources.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  for (const name of readdirSync(buildsFolder)) {
    if (name !== basename(target) && !name.startsWith('.'))
      rmSync(join(buildsFolder, name), { recursive: true, force: true });
  }
}
