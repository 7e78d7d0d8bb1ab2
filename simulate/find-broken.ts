import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBroken } from '../chaos/world/broken-build.ts';
import { type BrokenBuild, brokenBuilds } from './broken-builds.ts';

const parts = ['src', 'simulate', 'chaos', 'bench', 'migrations', 'package.json'];

/** False when a build that is broken on purpose was not found within the given number of seeds. */
export async function findBrokenBuilds(seeds: number, say: (line: string) => void): Promise<boolean> {
  let isFound = true;
  for (const build of brokenBuilds) {
    const seed = await findingSeed(build, seeds);
    if (seed === null) isFound = false;
    say(`${seed === null ? 'NOT FOUND' : `found by seed ${seed}`}: a build that ${build.name}`);
  }
  return isFound;
}

/** The first seed for which the build breaks a promise; null when there is none. */
export async function findingSeed({ breakages }: BrokenBuild, seeds: number): Promise<number | null> {
  const dir = mkdtempSync(join(tmpdir(), 'leadgate-broken-'));
  try {
    const sourceDir = buildBroken(join(dir, 'source'), breakages, parts);
    const output = await simulateIn(sourceDir, seeds);
    const seed = /^Seed (\d+) breaks a promise/m.exec(output)?.[1];
    if (seed === undefined && !output.includes(`${seeds} seeds, `)) throw new Error(output);
    return seed === undefined ? null : Number(seed);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function simulateIn(sourceDir: string, seeds: number): Promise<string> {
  const args = [join(sourceDir, 'simulate/simulate.ts'), `--seeds=${seeds}`, '--no-shrink'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: sourceDir, maxBuffer: 2 ** 28 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
