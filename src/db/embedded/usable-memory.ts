import { totalmem } from 'node:os';

/** What this process may use, in bytes: containers and units have limits of their own. */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // Without a limit it is 0, or more than any machine has.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
