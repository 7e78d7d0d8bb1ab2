import type { InfiniteData, Query, QueryKey } from '@tanstack/react-query';
import type { WatchedPart } from '../../../src/contract/live/names.ts';
import { isMissing } from '../client.ts';
import { meQuery } from '../queries.ts';
import { queryClient } from '../query-client.ts';
import { hasLeadsListener } from './leads-changed.ts';

/** What each name in the stream makes out of date: the start of query keys, see queries.ts. */
const queriesOf: Record<WatchedPart, (workspaceId: string) => readonly QueryKey[]> = {
  leads: (w) => [['leads', w]],
  tokens: (w) => [['tokens', w]],
  forms: (w) => [
    ['forms', w],
    ['scoring', w],
  ],
  workspace: (w) => [['workspace', w], meQuery.queryKey],
  members: (w) => [
    ['members', w],
    ['invitations', w],
  ],
  keys: (w) => [['api-keys', w]],
  // Tokens are listed with what became of their requests.
  diagnostics: (w) => [
    ['diagnostics', w],
    ['tokens', w],
  ],
  // Diagnostics say how many of the rejected requests are held.
  held: (w) => [
    ['held', w],
    ['diagnostics', w],
  ],
  alarms: (w) => [['alarms', w]],
  enrichment: (w) => [['enrichment', w]],
  destinations: (w) => [['destinations', w]],
  // A destination counts its deliveries.
  deliveries: (w) => [
    ['deliveries', w],
    ['destinations', w],
  ],
  audit: (w) => [['audit', w]],
};

/** Once, although several parts name the same queries: a second fetch would abort the first. */
export function fetchParts(parts: readonly WatchedPart[], workspaceId: string): void {
  const keys = parts.flatMap((part) => queriesOf[part](workspaceId));
  for (const queryKey of new Map(keys.map((key) => [String(key), key])).values())
    void queryClient.invalidateQueries({ queryKey, predicate: isFetchedWhole });
}

/**
 * Not a list with several loaded pages, which would all be fetched, and whose rows would move under the reader's eyes. Nor a
 * lead list that is told itself, what does not exist, or what someone wants to stand still.
 */
function isFetchedWhole({ queryKey, state, meta }: Query): boolean {
  if (meta?.isStill || isMissing(state.error)) return false;
  const [what, workspaceId, kind] = queryKey;
  if (what === 'leads' && kind === 'list' && hasLeadsListener(String(workspaceId))) return false;
  const pages = (state.data as Partial<InfiniteData<unknown>> | undefined)?.pages;
  return !Array.isArray(pages) || pages.length <= 1;
}
