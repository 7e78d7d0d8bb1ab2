import pg from 'pg';

/** What a target has on disk after it has stopped. */
export interface Kept {
  readonly leads: number;
  /** Rejected requests that are kept. */
  readonly held: number;
  /** Rejections by reason. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Leads by verdict, to show that scoring was on; empty for a target that does not score. */
  readonly verdicts: Readonly<Record<string, number>>;
}

export function countTextbook(url: string): Promise<Kept> {
  return withClient(url, async (client) => ({
    leads: (await tally(client, `select 'leads' as name, count(*) from leads`)).leads ?? 0,
    held: 0,
    rejections: {},
    verdicts: {},
  }));
}

export function countService(url: string): Promise<Kept> {
  return withClient(url, async (client) => {
    const verdicts = await tally(client, 'select verdict as name, count(*) from leads group by verdict');
    const rejections = await tally(
      client,
      `select name, sum(count) as count from (
         select outcome as name, count from outcome_counts where outcome <> 'accepted'
         union all select reason, count from unattributed_counts
       ) as rejected group by name`,
    );
    const { held = 0 } = await tally(client, `select 'held' as name, count(*) from held_submissions`);
    const leads = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
    return { leads, held, rejections, verdicts };
  });
}

async function tally(client: pg.Client, sql: string): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; count: string }>(sql);
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.count)]));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
