import { AskedThread } from '../calls/asked-thread.ts';
import type { Rescoring } from '../deps.ts';

/** One thread for all dry runs of an instance: they take turns, a page of leads each. */
export function rescoringThread(): Rescoring {
  return new AskedThread('rescoring-worker', import.meta);
}
