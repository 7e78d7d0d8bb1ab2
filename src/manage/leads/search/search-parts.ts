import type { Preparing } from '../../../contract/leads/list-options.ts';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import type { LeadOrder, LeadPlace, SortValue } from '../../../db/leads/lead-order.ts';
import type { ListedLeadRecord, ShownLeads } from '../../../db/leads/lead-rows.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Reached } from '../../calls/page.ts';

/** With what the list is sorted by; null if that is the time. */
export type SortedLead<Row extends ListedLeadRecord> = Row & { readonly sortValue: SortValue | null };

export interface LeadSearch<Row extends ListedLeadRecord> {
  readonly leads: SortedLead<Row>[];
  /** Where it stopped before the end of the list. Null if it found enough or searched the whole list. */
  readonly reached: Reached | null;
  /** It stopped because of the size, and there may be more. */
  readonly isCut: boolean;
  /** Not null if the list has only some of the leads so far. */
  readonly preparing: Preparing;
}

export interface LeadPageRequest {
  readonly after: LeadPlace | null;
  readonly limit: number;
  readonly bytesMax: number;
}

/** A search in progress. */
export interface Searching<Row extends ListedLeadRecord> {
  readonly db: Queryable;
  readonly clock: Clock;
  /** So many leads are read and sorted for a request; more need blocks. */
  readonly sortedLeadsMax: number;
  readonly workspaceId: string;
  readonly filter: LeadFilter;
  readonly order: LeadOrder;
  readonly request: LeadPageRequest;
  readonly deadline: number;
  readonly shown: ShownLeads<Row>;
}

export function withValue<Row extends ListedLeadRecord>(
  leads: readonly Row[],
  value: SortValue | null,
): SortedLead<Row>[] {
  return leads.map((lead) => ({ ...lead, sortValue: value }));
}
