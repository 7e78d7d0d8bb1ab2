import { sql } from 'kysely';
import { dayMs } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';

/** An email domain whose mail server belongs to a disposable email service. */
export interface LearnedDomain {
  readonly domain: string;
  readonly mailServer: string;
}

/** Afterwards the next lead of the domain is looked up again. */
export const learnedMs = 30 * dayMs;
const learnedDomainsMax = 20_000;

/** What changes with each change of the table. */
export async function readLearnedRevision(db: Queryable): Promise<string> {
  const { revision } = await onlyRow(
    db,
    sql<{ revision: string }>`select concat(count(*), ' ', max(learned_at)) as revision from learned_domains`,
  );
  return revision;
}

/** The last ones first. */
export async function readLearnedDomains(db: Queryable, since: Date): Promise<LearnedDomain[]> {
  return rowsOf(
    db,
    sql<LearnedDomain>`
      select domain, mail_server as "mailServer" from learned_domains
      where learned_at >= ${since} order by learned_at desc limit ${learnedDomainsMax}`,
  );
}

export async function learnDomain(
  db: Queryable,
  { domain, mailServer }: LearnedDomain,
  at: Date,
): Promise<void> {
  await run(
    db,
    sql`
      insert into learned_domains (domain, mail_server, learned_at) values (${domain}, ${mailServer}, ${at})
      on conflict (domain) do update set mail_server = excluded.mail_server, learned_at = excluded.learned_at`,
  );
}

/** Its mail server is another one now. */
export async function unlearnDomain(db: Queryable, domain: string): Promise<void> {
  await run(db, sql`delete from learned_domains where domain = ${domain}`);
}

/** Deletes what is old, and the oldest of what is too much. */
export async function deleteOldDomains(db: Queryable, before: Date): Promise<void> {
  await run(
    db,
    sql`
      delete from learned_domains where learned_at < ${before} or domain in (
        select domain from learned_domains order by learned_at desc offset ${learnedDomainsMax})`,
  );
}
