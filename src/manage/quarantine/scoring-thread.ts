import { AskedThread } from '../calls/asked-thread.ts';
import type { Scoring } from '../deps.ts';

/** Starts with the first lead that an operator stores, which is rare. */
export function scoringThread(): Scoring {
  return new AskedThread('scoring-worker', import.meta);
}
