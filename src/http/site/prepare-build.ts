import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { anyBuild, type BuildRecipe, buildFolder, isBuilt } from './build-recipe.ts';

const outputCharactersMax = 4_000;

/**
 * The folder with the build, which is built first if its sources have changed; null if that fails. The build runs in its
 * own process, so that the service accepts leads in the meantime and its memory is freed afterwards.
 */
export async function prepareBuild(
  recipe: BuildRecipe,
  onProgress: (line: string) => void,
): Promise<string | null> {
  if (!existsSync(recipe.script)) return anyBuild(recipe);
  if (isBuilt(recipe)) return buildFolder(recipe);
  onProgress(`Building the ${recipe.title}. This takes a few seconds.`);
  const failure = await runBuild(recipe.script);
  if (failure === null) return buildFolder(recipe);
  onProgress(`The ${recipe.title} could not be built; everything else works. ${failure}`);
  return anyBuild(recipe);
}

/** Null if the build succeeded, otherwise its output. */
function runBuild(script: string): Promise<string | null> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-outputCharactersMax);
    });
    // A service that stops does not wait for the build and leaves nothing behind: the next start builds again.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.unref();
    (child.stderr as Socket).unref();
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code) => {
      process.removeListener('exit', end);
      resolve(code === 0 ? null : output.trim() || `The build exited with ${code}.`);
    });
  });
}
