import { AskedThread } from '../calls/asked-thread.ts';
import type { Judging } from '../deps.ts';

/** Starts with the first lead that an operator stores, which is rare. */
export function judgingThread(): Judging {
  return new AskedThread('judging-worker', import.meta);
}
