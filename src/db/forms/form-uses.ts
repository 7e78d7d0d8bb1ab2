import { sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';

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
  await run(
    db,
    sql`
      insert into form_uses as u (form_id, slug, lead_at, verified_at)
      select "formId", slug, max("leadAt"), max("verifiedAt")
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as r ("formId" uuid, slug text, "leadAt" timestamptz,
        "verifiedAt" timestamptz)
      group by 1, 2 order by 1, 2
      on conflict (form_id, slug) do update set lead_at = greatest(u.lead_at, excluded.lead_at),
        verified_at = greatest(u.verified_at, excluded.verified_at)`,
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
