import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBroken } from '../chaos/world/broken-build.ts';
import { brokenBuilds } from './broken-builds.ts';
import type { BrokenBuild } from './finding.ts';

const parts = ['src', 'simulate', 'chaos', 'bench', 'migrations', 'package.json'];

/** The first history in which a build breaks the promise that it should, and all that is broken in it. */
interface Find {
  readonly seed: number;
  readonly kinds: readonly string[];
}

/** False when a build that is broken on purpose was not found within the given number of seeds, or with other errors. */
export async function findBrokenBuilds(seeds: number, say: (line: string) => void): Promise<boolean> {
  let areAllFound = true;
  for (const build of brokenBuilds) {
    const find = await findIn(build, seeds);
    const isFound = find !== null && othersIn(build, find).length === 0;
    if (!isFound) areAllFound = false;
    const what = find === null ? '' : ` ${find.kinds.join(', ')} by seed ${find.seed}`;
    say(`${isFound ? 'found' : 'NOT FOUND'}${what}: a build that ${build.name}`);
  }
  return areAllFound;
}

/** An error of another kind proves nothing. */
export function othersIn({ finds, also = [] }: BrokenBuild, { kinds }: Find): string[] {
  return kinds.filter((kind) => ![finds, ...also].some((expected) => expected === kind));
}

/** Null when it does not break that promise in any of the seeds. */
export async function findIn({ breakages, finds }: BrokenBuild, seeds: number): Promise<Find | null> {
  const dir = mkdtempSync(join(tmpdir(), 'leadgate-broken-'));
  try {
    const sourceDir = buildBroken(join(dir, 'source'), breakages, parts);
    const output = await simulateIn(sourceDir, [`--seeds=${seeds}`, `--finding=${finds}`]);
    const [, seed, findings = ''] = /^Seed (\d+) breaks a promise:\n((?: {2}.*\n)*)/m.exec(output) ?? [];
    if (seed === undefined && !output.includes(`${seeds} seeds, `)) throw new Error(output);
    const kinds = new Set([...findings.matchAll(/^ {2}([a-z ]+):/gm)].map(([, kind]) => kind as string));
    return seed === undefined ? null : { seed: Number(seed), kinds: [...kinds] };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function simulateIn(sourceDir: string, options: readonly string[]): Promise<string> {
  const args = [join(sourceDir, 'simulate/simulate.ts'), ...options, '--no-shrink'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: sourceDir, maxBuffer: 2 ** 28 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
