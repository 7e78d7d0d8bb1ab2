import pg from 'pg';

const rows = 40_000;
const rounds = 3;

/** How much each index of the leads table adds to an insertion, in microseconds per lead, measured on a separate table. */
export async function insertCosts(url: string): Promise<{ title: string; microseconds: number }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const order = 'shard, workspace_id, received_at desc, submission_id desc';
  const variants: readonly (readonly [string, readonly string[]])[] = [
    ['primary key only', []],
    ['and the order of the list', [order]],
    ['and form, verdict and surface behind it (leads_newest)', [`${order}, form_id, verdict, surface`]],
    [
      'and a second index by form',
      [
        `${order}, form_id, verdict, surface`,
        `shard, workspace_id, form_id, received_at desc, submission_id desc`,
      ],
    ],
  ];
  try {
    // The same rows for each, in order of arrival.
    await client.query(
      `create unlogged table bench_source as select * from leads order by received_at desc limit ${rows}`,
    );
    const costs: { title: string; microseconds: number }[] = [];
    for (const [title, indexes] of variants) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await insertInto(client, indexes));
      costs.push({ title, microseconds: (Math.min(...times) * 1_000) / rows });
    }
    await client.query('drop table bench_source');
    return costs;
  } finally {
    await client.end();
  }
}

async function insertInto(client: pg.Client, indexes: readonly string[]): Promise<number> {
  await client.query('create table bench_leads (like leads)');
  await client.query('alter table bench_leads add primary key (shard, workspace_id, submission_id)');
  for (const columns of indexes) await client.query(`create index on bench_leads (${columns})`);
  await client.query('checkpoint');
  const startedAt = performance.now();
  await client.query('insert into bench_leads select * from bench_source order by received_at');
  const ms = performance.now() - startedAt;
  await client.query('drop table bench_leads');
  return ms;
}
