import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { writeSite } from '../site/site.ts';
import { buildFolder, docsRecipe } from '../src/http/site/build-recipe.ts';
import { publishBuild } from './publish-build.ts';

/** Builds the documentation: Vite bundles script, styles and fonts; the rest is plain HTML. */
await publishBuild(docsRecipe, async (folder) => {
  const { output } = (await build({
    configFile: false,
    root: join(import.meta.dirname, '../site/browser'),
    base: '/docs/',
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: join(import.meta.dirname, '../site/browser/start.ts') },
    },
  })) as Rolldown.RolldownOutput;
  const named = (ending: string) => {
    const file = output.find(({ fileName }) => fileName.endsWith(ending))?.fileName;
    if (file === undefined) throw new Error(`The build made no ${ending} file.`);
    return `/docs/${file}`;
  };
  const hash = createHash('sha256').update(buildFolder(docsRecipe)).digest('hex').slice(0, 8);
  writeSite(folder, { script: named('.js'), style: named('.css') }, hash);
});
