import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { shardOf } from '../../src/domain/workspace.ts';
import { formatCount } from '../report.ts';
import { callApi, type SeededWorkspace } from '../seed.ts';
import { createDestination, createWorkspaces, type Row, type Stage, untilIdle } from './stage.ts';

const perSecond = 50;
const goalSeconds = 300;
const pollMs = 250;
/** Long enough for anything that is sent once too often. */
const afterMs = 3_000;

/** Deliveries that were made before, sent again to one destination at its pace. */
export async function measureReplay(stage: Stage): Promise<Row> {
  const count = stage.isQuick ? 500 : 10_000;
  const [workspace] = await createWorkspaces(stage, 'replay', 1);
  if (workspace === undefined) throw new Error('No workspace');
  const destinationId = await createDestination(stage, workspace, '/replay', { per_second: perSecond });
  await seedDelivered(stage.databaseUrl, workspace, destinationId, count);
  const startedAt = Date.now();
  const replay = await callApi(
    stage.port,
    'POST',
    `/workspaces/${workspace.workspaceId}/deliveries/replays`,
    {
      filter: { destination_id: destinationId, state: 'delivered' },
    },
  );
  const deadline = startedAt + 2 * goalSeconds * 1_000;
  while ((await stage.sink.count()) < count && Date.now() < deadline) await sleep(pollMs);
  const seconds = (Date.now() - startedAt) / 1_000;
  await untilIdle(stage);
  await sleep(afterMs);
  const arrivals = await stage.sink.take();
  const leads = new Set(arrivals.map(([, submissionId]) => submissionId)).size;
  return {
    figure: `replay of ${formatCount(count)}, ${perSecond}/s`,
    measured: `${seconds.toFixed(0)} s, ${formatCount(arrivals.length)} requests, ${formatCount(leads)} leads`,
    goal: `<= ${goalSeconds} s, exactly ${formatCount(count)}`,
    isGood: seconds <= goalSeconds && arrivals.length === count && leads === count && replay.total === count,
  };
}

/** A workspace may send 1,000 leads a minute, so these are written as if they had come in earlier. */
async function seedDelivered(
  databaseUrl: string,
  { workspaceId, formId }: SeededWorkspace,
  destinationId: string,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const shard = shardOf(workspaceId);
  try {
    await client.query(
      `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
         grade, verdict, reasons, ruleset)
       select $1, $2, gen_random_uuid(), $3, 'server', now() - interval '1 hour', convert_to(fields::text, 'UTF8'), fields,
         50, 10, 'B', 'clean', '[]', 'bench'
       from (select jsonb_build_object('name', 'Ada', 'email', 'lead' || n || '@example.com') as fields
             from generate_series(1, $4::integer) as n offset 0) as made`,
      [shard, workspaceId, formId, count],
    );
    await client.query('insert into event_counters (shard, workspace_id, last) values ($1, $2, $3)', [
      shard,
      workspaceId,
      count,
    ]);
    await client.query(
      `with numbered as (
         select submission_id, received_at, row_number() over () as number
         from leads where shard = $1 and workspace_id = $2
       ), events as (
         insert into lead_events (shard, workspace_id, id, type, submission_id, at)
         select $1, $2, number, 'lead.accepted', submission_id, received_at from numbered
       )
       insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, submission_id, state,
         attempts, next_at, created_at, delivered_at)
       select $1, $2, uuidv7(interval '-1 hour'), $3, number, 'lead.accepted', received_at, submission_id, 'delivered',
         1, received_at, received_at, received_at
       from numbered`,
      [shard, workspaceId, destinationId],
    );
    await client.query('vacuum analyze leads, lead_events, deliveries');
  } finally {
    await client.end();
  }
}
