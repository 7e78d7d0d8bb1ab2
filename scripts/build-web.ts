import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { webRecipe } from '../src/http/site/build-recipe.ts';
import { routesFile } from '../src/http/site/web-app.ts';
import { publishBuild } from './publish-build.ts';
import { readRouter } from './web-routes.ts';

/** Builds the settings area. */
await publishBuild(webRecipe, async (folder) => {
  await build({
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
  });
  // The service responds with 404 to all other paths.
  const { routesByPath } = await readRouter();
  writeFileSync(join(folder, routesFile), JSON.stringify(Object.keys(routesByPath)));
});
