import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { writeSite } from '../site/site.ts';
import { buildFolder, docsRecipe } from '../src/http/site/build-recipe.ts';
import { referenceScriptName } from '../src/http/site/docs-site.ts';
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
  writeReferenceScript(folder);
});

/** Scalar, which shows the API reference, as a single file from its npm package. */
function writeReferenceScript(folder: string): void {
  const source = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));
  const script = readFileSync(source);
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 12);
  writeFileSync(join(folder, `${referenceScriptName}${hash}.js`), script);
}
