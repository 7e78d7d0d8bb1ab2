import type { LeadSearch } from '../../../search.ts';

export interface Sorted {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

export function sortedBy({ sort, order }: LeadSearch): Sorted {
  return { by: sort ?? 'received', order: order === 'asc' ? 'asc' : 'desc' };
}

/** The usual list, which a search goes through from now back. */
export function isNewestFirst(search: LeadSearch): boolean {
  const { by, order } = sortedBy(search);
  return by === 'received' && order === 'desc';
}

/** The best or newest first; names and texts from A. */
const highestFirst = new Set(['received', 'score']);

/** What a click on a heading asks for: its usual order, then the other. */
export function sortAfterClick(search: LeadSearch, by: string): LeadSearch {
  const now = sortedBy(search);
  if (now.by !== by) return sortOf({ by, order: highestFirst.has(by) ? 'desc' : 'asc' });
  return sortOf({ by, order: now.order === 'asc' ? 'desc' : 'asc' });
}

export function sortOf({ by, order }: Sorted): LeadSearch {
  return { sort: by === 'received' ? undefined : by, order: order === 'asc' ? 'asc' : undefined };
}
