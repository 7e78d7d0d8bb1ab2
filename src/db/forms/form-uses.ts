import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { plainList, rowsOf, runPrepared } from '../sql.ts';

/** Of one form since the last flush. */
export interface FormUse {
  readonly formId: string;
  /** The alias that the requests came by; empty for the form as a whole. */
  readonly slug: string;
  readonly leadAt: string | null;
  /** The last request whose signature matched the current secret. */
  readonly verifiedAt: string | null;
}

/** A form that changed since the last flush appears twice, and one statement cannot update a row twice. */
export async function addFormUses(db: Queryable, uses: readonly FormUse[]): Promise<void> {
  await runPrepared(
    db,
    `insert into form_uses as u (form_id, slug, lead_at, verified_at)
      select form_id, slug, max(lead_at), max(verified_at)
      from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as r (form_id, slug, lead_at, verified_at)
      group by 1, 2 order by 1, 2
      on conflict (form_id, slug) do update set lead_at = greatest(u.lead_at, excluded.lead_at),
        verified_at = greatest(u.verified_at, excluded.verified_at)`,
    [
      plainList(uses.map(({ formId }) => formId)),
      uses.map(({ slug }) => slug),
      plainList(uses.map(({ leadAt }) => leadAt)),
      plainList(uses.map(({ verifiedAt }) => verifiedAt)),
    ],
  );
}

/** When each of these forms last got a lead. */
export async function listLastLeads(
  db: Queryable,
  formIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await rowsOf(
    db,
    sql<{
      readonly formId: string;
      readonly leadAt: Date;
    }>`select form_id as "formId", lead_at as "leadAt" from form_uses
      where form_id = any (${formIds}::uuid[]) and slug = '' and lead_at is not null`,
  );
  return new Map(rows.map(({ formId, leadAt }) => [formId, leadAt]));
}
