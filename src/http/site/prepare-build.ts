import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { anyBuild, type BuildRecipe, buildFolder, isBuilt } from './build-recipe.ts';

const outputCharactersMax = 4_000;

/**
 * The folder with what the recipe makes, built first when its sources have changed; null when it cannot be had. The
 * build is a process of its own, so that leads are taken meanwhile and its memory goes with it.
 */
export async function prepareBuild(
  recipe: BuildRecipe,
  onProgress: (line: string) => void,
): Promise<string | null> {
  if (!existsSync(recipe.script)) return anyBuild(recipe);
  if (isBuilt(recipe)) return buildFolder(recipe);
  onProgress(`Building the ${recipe.title}, which takes some seconds …`);
  const fault = await runBuild(recipe.script);
  if (fault === null) return buildFolder(recipe);
  onProgress(`The ${recipe.title} could not be built; everything else works. ${fault}`);
  return anyBuild(recipe);
}

/** Null when all went well, otherwise what the build said. */
function runBuild(script: string): Promise<string | null> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-outputCharactersMax);
    });
    // A service that is stopped meanwhile does not wait for it, and leaves nothing behind: the next start builds anew.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.unref();
    (child.stderr as Socket).unref();
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code) => {
      process.removeListener('exit', end);
      resolve(code === 0 ? null : output.trim() || `The build ended with ${code}.`);
    });
  });
}
