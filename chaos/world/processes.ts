import { execFileSync } from 'node:child_process';

/** Oldest first, as far as process IDs tell. */
export function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parentPid]) => (parentPid === parent && pid !== undefined ? [pid] : []));
}

/** False when the process has exited. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
