import pg from 'pg';
import { eventKeptDays } from '../../src/domain/destination/destination.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { firms } from '../load/lead.ts';

/** Where the leads go: some of them to the workspace that is measured, the rest to the others. */
export interface SeedPlan {
  readonly leads: number;
  /** One lead in this many goes to the workspace that is measured. */
  readonly every: number;
  readonly workspaceId: string;
  /** The most frequent first. The last gets one lead in two thousand, and none in the newer half. */
  readonly formIds: readonly string[];
  readonly otherWorkspaceIds: readonly string[];
  /** What the service found out about a lead, as JSON. */
  readonly enrichment: string;
  /** Also writes what a commit and the relay leave beside leads: a key of every other one, and the events of the last weeks. */
  readonly withTraces: boolean;
}

/** Words that the searches look for. */
export const words = { frequent: 'pallets', rare: 'Zanzibar', oldest: 'quagmire', missing: 'xylophonist' };

/** A short one, of the size that the list reads. */
export const shortEnrichment =
  '{"schema":1,"status":"builtin_only","company":{"domain":"brightwater.io"},"provenance":{},"providers":[]}';

const leadsPerStatement = 50_000;
export const days = 90;

/** Writes leads as the ingest plane would, in order of time, and reports progress. */
export async function seedLeads(url: string, plan: SeedPlan, onProgress: (done: number) => void) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    await client.query(`set timezone = 'UTC'`);
    await client.query(`set work_mem = '256MB'`);
    const others = plan.otherWorkspaceIds;
    const ids = [plan.workspaceId, ...others];
    const lastEvent = Number((await client.query(readLastEvent)).rows[0].last);
    for (let first = 1; first <= plan.leads; first += leadsPerStatement) {
      const last = Math.min(plan.leads, first + leadsPerStatement - 1);
      await client.query(plan.withTraces ? insertLeadsWithTraces : insertLeads, [
        first,
        last,
        plan.leads,
        plan.workspaceId,
        shardOf(plan.workspaceId),
        plan.formIds,
        others,
        others.map(shardOf),
        plan.every,
        ...(plan.withTraces ? [lastEvent] : []),
      ]);
      onProgress(last);
    }
    await client.query(insertEnrichments, [shardOf(plan.workspaceId), plan.workspaceId, plan.enrichment]);
    if (plan.withTraces) await client.query(countEvents, [ids.map(shardOf), ids, lastEvent + plan.leads]);
    // Autovacuum would do it over 90 days.
    await client.query('vacuum analyze leads, lead_enrichments, lead_events, idempotency_keys');
  } finally {
    await client.end();
  }
}

/** Prints how many leads are written, on one line of the terminal. */
export function progressOf(leads: number): (done: number) => void {
  const startedAt = performance.now();
  return (done) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(
      `\r${done.toLocaleString('en')} of ${leads.toLocaleString('en')} leads, ${seconds} s `,
    );
  };
}

/** A pseudo-random number from 0 to 9,999 that is the same in each run. */
const dice = (salt: number) => `(hashint4(n + ${salt}) & 2147483647) % 10000`;
const oneOf = (texts: readonly string[], salt: number) =>
  `(array[${texts.map((text) => `'${text}'`)}])[1 + (${dice(salt)}) % ${texts.length}]`;
const firstNames = ['Maria', 'Jonas', 'Aisha', 'Tom', 'Lena', 'Pedro', 'Mei', 'Olga', 'Søren', 'Ada', 'Zoë'];
const lastNames = ['Keller', 'Weber', 'Rahman', 'Okafor', 'Novak', 'Alves', 'Chen', 'Lovelace', 'Müller'];
const messages = [
  'We ship about forty pallets a week and would like a quote for next quarter.',
  'Could somebody call me about the team plan? We are twelve people.',
  'Looking for a demo on Thursday, preferably before noon. We compare three offers at the moment.',
];

// 5 to 10 keys: some appear only in some leads, as in forms that change.
const fields = `jsonb_strip_nulls(jsonb_build_object(
  'name', ${oneOf(firstNames, 11)} || ' ' || ${oneOf(lastNames, 12)},
  'email', 'lead' || n || '@' || ${oneOf(['brightwater.io', 'gmail.com', 'nordlicht.de', 'outlook.com'], 13)},
  'message', ${oneOf(messages, 14)},
  'utm_source', ${oneOf(['google', 'newsletter', 'linkedin', 'direct'], 15)},
  'consent', ${dice(16)} < 9000,
  'company', case when ${dice(17)} < 7000 then ${oneOf(firms, 18)} end,
  'phone', case when ${dice(19)} < 5000 then '+49 30 90' || (10000 + n) end,
  'budget', case when ${dice(20)} < 3000 then ${dice(21)} end,
  'country', case when ${dice(22)} < 4000 then ${oneOf(['DE', 'FR', 'US', 'PT'], 23)} end,
  'note', case when n < 20 then '${words.oldest}' when n % 20000 = 77 then 'Ship it to ${words.rare}' end))`;

const leads = `
  select n, shard, workspace_id, received_at, fields, form_id,
    case when ${dice(1)} < 5000 then gen_random_uuid() else uuidv7(received_at - now()) end as submission_id
  from (
    select n,
      case when n % $9 = 77 % $9 then $5::smallint else ($8::smallint[])[1 + n / 2 % cardinality($8)] end as shard,
      case when n % $9 = 77 % $9 then $4::uuid else ($7::uuid[])[1 + n / 2 % cardinality($7)] end as workspace_id,
      ($6::uuid[])[case when ${dice(6)} < 6000 then 1 when ${dice(6)} < 9000 then 2 when ${dice(6)} < 9900 then 3
        when ${dice(6)} < 9995 or n > $3 / 2 then 4 else 5 end] as form_id,
      date_trunc('milliseconds', now() - interval '${days} days' * (1 - n::float / $3)) as received_at,
      ${fields} as fields
    from generate_series($1::integer, $2::integer) as n
    -- Keeps the planner from making each document twice.
    offset 0
  ) as made`;

const insertMade = `
  insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
    grade, verdict, reasons, ruleset)
  select shard, workspace_id, submission_id,
    form_id, case when ${dice(2)} < 7000 then 'server' else 'webhook' end, received_at,
    convert_to(fields::text, 'UTF8'), null, ${dice(3)} % 100, ${dice(4)} % 100, 'B',
    case when ${dice(5)} < 8400 then 'clean' when ${dice(5)} < 9990 then 'spam' else 'suspect' end,
    '["FIT_COMPANY 15",{"code":"EMAIL_FREE","points":5,"field":"email","evidence":"gmail.com"}]',
    'bench'
  from`;

const insertLeads = `${insertMade} (${leads}) as lead`;

/** The leads with a key are those with a random ID. Nothing has expired, so that the service deletes nothing. */
const insertLeadsWithTraces = `
  with lead as materialized (${leads}),
  keys as (
    insert into idempotency_keys (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
    select shard, workspace_id, sha256(uuid_send(submission_id)), submission_id,
      substr(sha256(uuid_send(submission_id)), 1, 8), now() + interval '1 day'
    from lead where ${dice(1)} < 5000
  ),
  events as (
    insert into lead_events (shard, workspace_id, id, type, submission_id, at)
    select shard, workspace_id, $10::bigint + n, 'lead.accepted', submission_id, received_at
    from lead where received_at > now() - interval '${eventKeptDays - 1} days'
  )
  ${insertMade} lead`;

const readLastEvent = 'select coalesce(max(last), 0) as last from event_counters';

const countEvents = `
  insert into event_counters (shard, workspace_id, last)
  select shard, workspace_id, $3 from unnest($1::smallint[], $2::uuid[]) as counted (shard, workspace_id)
  on conflict (shard, workspace_id) do update set last = excluded.last`;

const insertEnrichments = `
  insert into lead_enrichments (shard, workspace_id, submission_id, enriched_at, data)
  select shard, workspace_id, submission_id, received_at + interval '1 second', $3::jsonb
  from leads where shard = $1 and workspace_id = $2 and verdict = 'clean'`;
