import { docsRecipe, sdkRecipe, webRecipe } from '../src/http/site/build-recipe.ts';
import { prepareBuild } from '../src/http/site/prepare-build.ts';

/** Builds what the service would build at its start, so that it does not happen during a measurement or after each kill. */
export async function buildPages(): Promise<void> {
  // A build does not keep the process alive, so that a service can stop during it. Here, something else has to.
  const stay = setInterval(() => {}, 1_000);
  try {
    for (const recipe of [webRecipe, docsRecipe, sdkRecipe])
      await prepareBuild(recipe, (line) => process.stdout.write(`${line}\n`));
  } finally {
    clearInterval(stay);
  }
}
