import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { webRecipe } from '../src/http/site/build-recipe.ts';
import { publishBuild } from './publish-build.ts';

/** Builds the settings area. */
await publishBuild(webRecipe, (folder) =>
  build({
    configFile: false,
    root: join(import.meta.dirname, '../web'),
    logLevel: 'warn',
    plugins: [react()],
    // The service replaces it with a new nonce in each response.
    html: { cspNonce: '__NONCE__' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
      // What the first page needs is one file: it compresses better, and no page loads it in parts.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    },
  }),
);
