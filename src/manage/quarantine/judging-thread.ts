import { AskedThread } from '../calls/asked-thread.ts';
import type { Judging } from '../deps.ts';

/** Begins with the first lead that an operator stores, and hardly anybody ever does. */
export function judgingThread(): Judging {
  return new AskedThread('judging-worker', import.meta);
}
