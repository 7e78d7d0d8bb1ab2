import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { anyWebBuild, isWebBuilt, webBuildFolder, webSourceFolder } from './web-folder.ts';

const script = join(import.meta.dirname, '../../scripts/build-web.ts');
const outputCharactersMax = 4_000;

/**
 * The folder with the settings area, built first when its sources have changed; null when it cannot be had. The build is
 * a process of its own, so that leads are taken meanwhile and its memory goes with it.
 */
export async function prepareWebApp(onProgress: (line: string) => void): Promise<string | null> {
  if (!existsSync(join(webSourceFolder, 'routes.tsx'))) return anyWebBuild();
  if (isWebBuilt()) return webBuildFolder();
  onProgress('Building the settings area, which takes some seconds …');
  const fault = await runBuild();
  if (fault === null) return webBuildFolder();
  onProgress(`The settings area could not be built; everything else works. ${fault}`);
  return anyWebBuild();
}

/** Null when all went well, otherwise what the build said. */
function runBuild(): Promise<string | null> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-outputCharactersMax);
    });
    // A service that is stopped meanwhile does not wait for it.
    child.unref();
    (child.stderr as Socket).unref();
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code) => resolve(code === 0 ? null : output.trim() || `The build ended with ${code}.`));
  });
}
