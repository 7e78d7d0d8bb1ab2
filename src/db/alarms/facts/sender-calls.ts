import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

export interface SenderCalls {
  readonly workspaceId: string;
  readonly formId: string;
  readonly sender: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** Calls of known senders. Anyone who has recorded one can send it again, so each counts once. The shards are those of one node. */
export async function listSenderCalls(
  db: Queryable,
  shards: readonly number[],
  since: Date,
): Promise<SenderCalls[]> {
  const ofSenders = sql`e.shard = any (${shards}::smallint[]) and e.reason = 'sender_unsupported' and e.at > ${since}`;
  return rowsOf(
    db,
    sql<SenderCalls>`
      select e.workspace_id as "workspaceId", e.form_id as "formId", e.detail ->> 'sender' as sender,
        count(distinct e.detail ->> 'call') as count, max(e.at) as "lastAt"
      from rejection_entries e
      where ${ofSenders} and not exists (
        select from rejection_entries b
        where b.shard = e.shard and b.workspace_id = e.workspace_id and b.form_id = e.form_id
          and b.reason = 'sender_unsupported' and b.at <= ${since} and b.detail ->> 'call' = e.detail ->> 'call'
      )
      group by e.shard, e.workspace_id, e.form_id, e.detail ->> 'sender'`,
  );
}
