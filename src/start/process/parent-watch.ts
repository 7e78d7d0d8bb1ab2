import { readFileSync } from 'node:fs';

/** Returns a function that tells whether the process has exited that this one must not outlive: a parent by its id, or npm. */
export function createParentWatch(parent: number | 'npm' | null): () => boolean {
  if (parent === null) return () => false;
  if (parent !== 'npm') return () => process.ppid !== parent;
  // There may be a shell between npm and its command, which keeps waiting when npm is killed.
  const direct = process.ppid;
  const npm = isShell(direct) ? parentOf(direct) : null;
  return () => process.ppid !== direct || (npm !== null && parentOf(direct) !== npm);
}

/** Null if unknown, as on systems without /proc. */
function parentOf(pid: number): number | null {
  const found = /^PPid:\s+(\d+)$/m.exec(processFile(pid, 'status'))?.[1];
  return found === undefined ? null : Number(found);
}

function isShell(pid: number): boolean {
  return /^(?:sh|dash|bash|ash|busybox|zsh|ksh)$/.test(processFile(pid, 'comm').trim());
}

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
