import type { TestProject } from 'vitest/node';
import { type BuildRecipe, docsRecipe, sdkRecipe, webRecipe } from '../../../src/http/site/build-recipe.ts';
import { prepareBuild } from '../../../src/http/site/prepare-build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built settings area. */
    webApp: string;
    /** The folder of the built documentation. */
    docsSite: string;
    /** The folder of the built SDK for web pages. */
    sdk: string;
  }
}

/** Builds all once for the whole run, so that no service in a test does it again. */
export default async function setup(project: TestProject): Promise<void> {
  // In parallel, because each build uses one core.
  const [webApp, docsSite, sdk] = await Promise.all([built(webRecipe), built(docsRecipe), built(sdkRecipe)]);
  project.provide('webApp', webApp);
  project.provide('docsSite', docsSite);
  project.provide('sdk', sdk);
}

async function built(recipe: BuildRecipe): Promise<string> {
  let said = '';
  const folder = await prepareBuild(recipe, (line) => {
    said = line;
  });
  if (folder === null) throw new Error(`There is no ${recipe.title} to test. ${said}`);
  return folder;
}
