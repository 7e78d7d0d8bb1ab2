import type { QueryKey } from '@tanstack/react-query';
import type { WatchedPart } from '../../../src/contract/live/names.ts';
import { meQuery } from '../queries.ts';

/** What each name in the stream makes out of date: the start of query keys, see queries.ts. */
export const queriesOf: Record<WatchedPart, (workspaceId: string) => readonly QueryKey[]> = {
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
