import { AskedThread } from '../../calls/asked-thread.ts';
import type { DestinationDryRuns } from '../../deps.ts';

/** One thread for all dry runs of an instance: they take turns, a page of leads each. */
export function dryRunThread(): DestinationDryRuns {
  return new AskedThread('dry-run-worker', import.meta);
}
