import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { isWebBuilt, webBuildFolder, webBuildsFolder, webSourceFolder } from '../src/http/web-folder.ts';

/**
 * Builds the settings area and compresses it, so that serving it costs nothing. The result gets its final name
 * only when it is whole: builds at the same time, or one that is interrupted, do no harm.
 */
const target = webBuildFolder();
const scratch = join(webBuildsFolder, `.building-${process.pid}`);
if (!isWebBuilt()) {
  try {
    await build({
      configFile: false,
      root: webSourceFolder,
      logLevel: 'warn',
      plugins: [react()],
      // The service puts a fresh nonce in its place with each answer.
      html: { cspNonce: '__NONCE__' },
      build: {
        outDir: scratch,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        target: 'es2023',
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1_000,
      },
    });
    compressAll(scratch);
    publish();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function compressAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(?:js|css|svg)$/.test(entry.name)) continue;
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function publish(): void {
  mkdirSync(webBuildsFolder, { recursive: true });
  try {
    renameSync(scratch, target);
  } catch (error) {
    // Somebody else built the same sources meanwhile.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  for (const name of readdirSync(webBuildsFolder)) {
    if (name !== basename(target) && !name.startsWith('.'))
      rmSync(join(webBuildsFolder, name), { recursive: true, force: true });
  }
}
