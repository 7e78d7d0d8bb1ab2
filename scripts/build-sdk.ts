import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { sdkRecipe } from '../src/http/site/build-recipe.ts';
import { publishBuild } from './publish-build.ts';

const home = join(import.meta.dirname, '../clients/browser');

/** Builds the SDK for web pages: one file for script elements and one for imports. */
await publishBuild(sdkRecipe, async (folder) => {
  await bundle(folder, 'script', 'iife', 'v1.js');
  await bundle(folder, 'module', 'es', 'v1.mjs');
  cpSync(join(home, 'leadgate.d.ts'), join(folder, 'v1.d.ts'));
});

function bundle(folder: string, source: string, format: 'iife' | 'es', name: string): Promise<unknown> {
  return build({
    configFile: false,
    root: home,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: join(home, `src/${source}.ts`),
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        preserveEntrySignatures: 'strict',
        output: { format, entryFileNames: name },
      },
    },
  });
}
