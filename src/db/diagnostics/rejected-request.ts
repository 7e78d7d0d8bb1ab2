import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, onlyRow } from '../sql.ts';
import type { RejectionRecord } from './diagnostics.ts';

export async function findRejection(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<RejectionRecord | null> {
  return firstRow(
    db,
    sql<RejectionRecord>`
      select id, at, surface, form_id as "formId", token_id as "tokenId", request_id as "requestId", reason, detail
      from rejection_entries where ${inWorkspace(workspaceId)} and id = ${id}`,
  );
}

export interface Occurrences {
  readonly lastDay: number;
  readonly lastWeek: number;
  readonly lastAt: Date | null;
}

/** Stands for "no form" and "no token" in the counts. */
const none = '00000000-0000-0000-0000-000000000000';

/** How often the same happened with the same form and token. */
export async function countLike(
  db: Queryable,
  workspaceId: string,
  { reason, formId, tokenId }: Pick<RejectionRecord, 'reason' | 'formId' | 'tokenId'>,
  now: Date,
): Promise<Occurrences> {
  return onlyRow(
    db,
    sql<Occurrences>`
      select coalesce(sum(count) filter (where minute > ${now}::timestamptz - interval '1 day'), 0)::bigint as "lastDay",
        coalesce(sum(count), 0)::bigint as "lastWeek", max(last_at) as "lastAt"
      from outcome_counts
      where ${inWorkspace(workspaceId)} and minute > ${now}::timestamptz - interval '7 days' and outcome = ${reason}
        and form_id = ${formId ?? none} and token_id = ${tokenId ?? none}`,
  );
}
