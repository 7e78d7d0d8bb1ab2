import { sql } from 'kysely';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { onlyRow, rowsOf } from '../../sql.ts';
import { noToken } from './sources.ts';

/** The accepted leads of a form that came by one token, or by none. */
export interface AcceptedSource {
  readonly formId: string;
  readonly tokenId: string | null;
  readonly leads: number;
  readonly lastAt: Date;
  /** Since the later time: those whose verdict was counted, and those among them that were spam. */
  readonly scoredLeads: number;
  readonly spamLeads: number;
}

export async function listAcceptedSources(
  db: Queryable,
  workspaceId: string,
  since: Date,
  scoredSince: Date,
): Promise<AcceptedSource[]> {
  const isScored = sql`spam_count is not null and minute >= ${scoredSince}`;
  return rowsOf(
    db,
    sql<AcceptedSource>`
      select form_id as "formId", nullif(token_id, ${noToken}) as "tokenId", sum(count)::bigint as leads,
        max(last_at) as "lastAt", coalesce(sum(count) filter (where ${isScored}), 0)::bigint as "scoredLeads",
        coalesce(sum(spam_count) filter (where ${isScored}), 0)::bigint as "spamLeads"
      from outcome_counts
      where ${inWorkspace(workspaceId)} and minute >= ${since} and outcome = 'accepted' and form_id <> ${noToken}
      group by form_id, token_id`,
  );
}

/** A quarter of an hour with leads: local hours begin at one in every time zone. Minutes since 1970. */
export interface AcceptedQuarter {
  readonly formId: string;
  readonly tokenId: string | null;
  readonly first: number;
  readonly last: number;
  readonly leads: number;
}

/** Oldest first. */
export async function listAcceptedQuarters(
  db: Queryable,
  workspaceId: string,
  formIds: readonly string[],
  since: Date,
): Promise<AcceptedQuarter[]> {
  const minuteNumber = sql`(extract(epoch from minute) / 60)::int`;
  return rowsOf(
    db,
    sql<AcceptedQuarter>`
      select form_id as "formId", nullif(token_id, ${noToken}) as "tokenId", min(${minuteNumber}) as first,
        max(${minuteNumber}) as last, sum(count)::int as leads
      from outcome_counts
      where ${inWorkspace(workspaceId)} and minute >= ${since} and outcome = 'accepted'
        and form_id = any (${formIds}::uuid[])
      group by form_id, token_id, ${minuteNumber} / 15 order by first`,
  );
}

export interface LastAccepted {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly lastAt: Date;
}

/** The last lead of each source in these shards of one node, of those that came since then. */
export async function listLastAccepted(
  db: Queryable,
  shards: readonly number[],
  since: Date,
): Promise<LastAccepted[]> {
  return rowsOf(
    db,
    sql<LastAccepted>`
      select workspace_id as "workspaceId", form_id as "formId", nullif(token_id, ${noToken}) as "tokenId",
        max(last_at) as "lastAt"
      from outcome_counts
      where shard = any (${shards}::smallint[]) and minute >= ${since} and outcome = 'accepted'
      group by workspace_id, form_id, token_id`,
  );
}

export interface LastDay {
  /** Null if there was no lead since then. */
  readonly lastAt: Date | null;
  /** In the 24 hours up to the last lead. */
  readonly leads: number;
}

/** The last lead of a source since a time, and how busy the day before it was. */
export async function readLastDay(
  db: Queryable,
  { workspaceId, formId, tokenId }: Omit<LastAccepted, 'lastAt'>,
  since: Date,
): Promise<LastDay> {
  const ofSource = sql`${inWorkspace(workspaceId)} and outcome = 'accepted' and form_id = ${formId}
    and ${tokenId === null ? sql`true` : sql`token_id = ${tokenId}`}`;
  const { lastAt } = await onlyRow(
    db,
    sql<{ readonly lastAt: Date | null }>`select max(last_at) as "lastAt" from outcome_counts
      where ${ofSource} and minute >= date_trunc('minute', ${since}::timestamptz)`,
  );
  if (lastAt === null) return { lastAt, leads: 0 };
  const { leads } = await onlyRow(
    db,
    sql<{ readonly leads: number }>`select coalesce(sum(count), 0)::bigint as leads from outcome_counts
      where ${ofSource} and minute > ${lastAt}::timestamptz - interval '24 hours' and minute <= ${lastAt}`,
  );
  return { lastAt, leads };
}
