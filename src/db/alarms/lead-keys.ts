import { sql } from 'kysely';
import { contentFields, withContent } from '../leads/lead-content.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

/** The keys of a lead, without its values. */
export interface LeadKeys {
  readonly receivedAt: Date;
  /** Null if it has too many, or is so large that reading them costs too much. */
  readonly keys: readonly string[] | null;
}

/** Where leads come from: `proven` are the surfaces on which senders prove who they are, `pages` is the one that anyone can use. */
export type LeadOrigin = 'proven' | 'pages';

export interface LeadKeysQuery {
  readonly workspaceId: string;
  readonly formId: string;
  readonly origin: LeadOrigin;
  /** Received at this time or later: bounds how many leads of other forms are passed over. */
  readonly from: Date;
  /** Received before this time. */
  readonly to: Date;
  readonly limit: number;
}

const keysMax = 100;
/** As stored, so usually compressed if it is large. */
const fieldsBytesMax = 16 * 1024;

/** Of leads that are not spam, newest first. Form, verdict and surface are decided in the index. */
export async function listLeadKeys(
  db: Queryable,
  { workspaceId, formId, origin, from, to, limit }: LeadKeysQuery,
): Promise<LeadKeys[]> {
  const surfaces = origin === 'pages' ? ['browser'] : ['server', 'webhook'];
  const rows = await rowsOf(
    db,
    sql<LeadKeys>`
      select received_at as "receivedAt",
        case when coalesce(pg_column_size(leads.fields), octet_length(body)) <= ${fieldsBytesMax}
            and jsonb_typeof(${contentFields}) = 'object'
          then array(select jsonb_object_keys(${contentFields}) limit ${keysMax + 1}) end as keys
      from leads ${withContent}
      where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}
        and form_id = ${formId} and verdict in ('clean', 'suspect') and surface = any (${surfaces}::text[])
      order by received_at desc, submission_id desc limit ${limit}`,
  );
  return rows.map(({ receivedAt, keys }) => ({
    receivedAt,
    keys: keys !== null && keys.length > keysMax ? null : keys,
  }));
}
