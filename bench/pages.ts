import { docsRecipe, webRecipe } from '../src/http/site/build-recipe.ts';
import { prepareBuild } from '../src/http/site/prepare-build.ts';

/** Builds what the service would build at its start: not while something is measured, and not again after each kill. */
export async function buildPages(): Promise<void> {
  // A build keeps nobody who wants to go, so that a service can be stopped meanwhile; here there is nothing else to stay for.
  const stay = setInterval(() => {}, 1_000);
  try {
    for (const recipe of [webRecipe, docsRecipe])
      await prepareBuild(recipe, (line) => process.stdout.write(`${line}\n`));
  } finally {
    clearInterval(stay);
  }
}
