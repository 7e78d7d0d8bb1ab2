import { readFileSync } from 'node:fs';

/** Tells whether the process is gone that this one must not outlive: its parent, by process id, or npm. */
export function createParentWatch(parent: number | 'npm' | null): () => boolean {
  if (parent === null) return () => false;
  if (parent !== 'npm') return () => process.ppid !== parent;
  // Between npm and its command there may be a shell, which goes on waiting when npm is killed.
  const direct = process.ppid;
  const npm = isShell(direct) ? parentOf(direct) : null;
  return () => process.ppid !== direct || (npm !== null && parentOf(direct) !== npm);
}

/** Null where it cannot be known, as on systems without /proc. */
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
