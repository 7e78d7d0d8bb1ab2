import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { rowsOf } from '../../sql.ts';

/** A form was activated or deactivated, or its workspace resumed or suspended. */
export interface Switching {
  /** Null for the whole workspace. */
  readonly formId: string | null;
  readonly isOn: boolean;
  readonly at: Date;
}

/** Oldest first, from the audit log, which keeps them permanently. */
export async function listSwitchings(db: Queryable, workspaceId: string, since: Date): Promise<Switching[]> {
  return rowsOf(
    db,
    sql<Switching>`
      select target ->> 'form_id' as "formId", at,
        coalesce((changes ->> 'active')::boolean, changes ->> 'status' = 'active') as "isOn"
      from audit_log
      where workspace_id = ${workspaceId} and action in ('changeAForm', 'renameSuspendOrResumeAWorkspace')
        and completed and at >= ${since}
        and (changes ->> 'active' in ('true', 'false') or changes ->> 'status' in ('active', 'suspended'))
      order by at`,
  );
}

/** Of these, the tokens that were rotated: their senders use another one. */
export async function listReplacedTokens(db: Queryable, tokenIds: readonly string[]): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<{ readonly id: string }>`
      select id from tokens where id = any (${tokenIds}::uuid[]) and replaced_by is not null`,
  );
  return rows.map(({ id }) => id);
}
