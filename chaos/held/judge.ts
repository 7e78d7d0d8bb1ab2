import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { formatCount } from '../../bench/report.ts';
import type { Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';
import { checkHeld, type HeldRow } from './held-check.ts';
import type { HeldWorld } from './held-world.ts';

const pollMs = 100;
const writtenMsMax = 60_000;
/** All shards are visited several times. */
const gonesMsMax = 60_000;

/** Admits what is left, compares it with what was sent, and then lets time pass. */
export async function judgeHeld(stage: Stage): Promise<void> {
  const { sender, rejected, owner } = stage.held as HeldWorld;
  const { workspaceId } = sender;
  await untilWritten(stage.instances);
  const startedAt = Date.now();
  await owner.admitAll();
  const seconds = (Date.now() - startedAt) / 1_000;
  const client = new pg.Client({ connectionString: stage.databaseUrl() });
  await client.connect();
  try {
    const rows = await readRows(client, workspaceId);
    const leads = await readLeads(client, workspaceId);
    const overstayed = await expireAll(client, workspaceId);
    const usedAfterwards = await readUsed(client, workspaceId);
    const { sent, provenAttempts } = rejected;
    const { admitted, discarded } = owner;
    stage.found(
      checkHeld({ sent, provenAttempts, admitted, discarded, rows, leads, overstayed, usedAfterwards }),
    );
    const of = (state: string) => formatCount(rows.filter((row) => row.state === state).length);
    stage.note(
      `${formatCount(sent.length)} leads that were rejected at least once; ${formatCount(rows.length)} requests kept: ${of('admitted')} admitted, ${of('discarded')} discarded, ${of('held')} not proven or twins; the last admission took ${seconds.toFixed(1)} s`,
    );
  } finally {
    await client.end();
  }
}

/** Nothing waits in memory any more. */
async function untilWritten(instances: readonly Instance[]): Promise<void> {
  for (const deadline = Date.now() + writtenMsMax; Date.now() < deadline; await sleep(pollMs)) {
    const waiting = await Promise.all(
      instances.map(async (instance) => (await instance.metrics())?.get('leadgate_held_waiting_bytes')),
    );
    if (waiting.every((bytes) => bytes === 0)) return;
  }
  throw new Error('held submissions were not written');
}

async function readRows(client: pg.Client, workspaceId: string): Promise<HeldRow[]> {
  const { rows } = await client.query<HeldRow>(
    'select id, class, state, submission_id as "submissionId" from held_submissions where workspace_id = $1',
    [workspaceId],
  );
  return rows;
}

async function readLeads(client: pg.Client, workspaceId: string) {
  const { rows } = await client.query<{ readonly submissionId: string; readonly bodySha256: string }>(
    `select submission_id as "submissionId", encode(sha256(body), 'hex') as "bodySha256" from leads
     where workspace_id = $1`,
    [workspaceId],
  );
  return rows;
}

/** Returns what is left a good while after the time of all is over. */
async function expireAll(client: pg.Client, workspaceId: string): Promise<HeldRow[]> {
  await client.query(
    `update held_submissions set expires_at = now() - interval '1 hour' where workspace_id = $1`,
    [workspaceId],
  );
  for (const deadline = Date.now() + gonesMsMax; ; await sleep(pollMs)) {
    const rows = await readRows(client, workspaceId);
    if (rows.length === 0 || Date.now() > deadline) return rows;
  }
}

async function readUsed(client: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ readonly bytes: string }>(
    'select coalesce(sum(bytes), 0) + coalesce(sum(rows), 0) as bytes from held_usage where workspace_id = $1',
    [workspaceId],
  );
  return Number(rows[0]?.bytes);
}
