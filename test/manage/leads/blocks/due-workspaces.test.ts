import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDropped } from '../../../../src/db/leads/blocks/dropped-blocks.ts';
import { deleteLeads, findOriginals } from '../../../../src/db/leads/leads.ts';
import { inTransaction } from '../../../../src/db/pool.ts';
import { shardOf } from '../../../../src/domain/workspace.ts';
import { DueWorkspaces } from '../../../../src/enrich/lead-index/due-workspaces.ts';
import { buildNextBlock, settledMs } from '../../../../src/enrich/lead-index/lead-index.ts';
import { minuteMs } from '../../../../src/time/clock.ts';
import { ManualClock } from '../../../support/clocks.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../../support/database/database.ts';
import { insertLeads, plainLeads, start } from './random-leads.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const blockLeads = 4;
// Leads come every second, and the first four are old enough.
const clock = new ManualClock(start + 4_000 + settledMs);

async function createWorkspace(): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into workspaces (id, name, created_at, revision) values ($1, 'Engines', now(), 1)`,
    [id],
  );
  return id;
}

/** As the relay does. */
async function noteEvents(workspaceId: string, count: number): Promise<void> {
  await pool.query(
    `insert into event_counters as c (shard, workspace_id, last) values ($1, $2, $3)
     on conflict (shard, workspace_id) do update set last = c.last + excluded.last`,
    [shardOf(workspaceId), workspaceId, count],
  );
}

/** The workspaces of a turn, each of which gets its blocks. */
async function turn(due: DueWorkspaces): Promise<string[]> {
  const found = await due.find();
  for (const id of found) {
    while (await clearDropped(pool, id, 1));
    while ((await buildNextBlock({ pool, clock }, id, blockLeads)) !== null);
    await due.looked(id);
  }
  return found;
}

test('a workspace is looked at after a start, when it may have enough new leads, and when a block is missing', async () => {
  const [busy, idle] = [await createWorkspace(), await createWorkspace()];
  const leads = plainLeads(12);
  await insertLeads(pool, busy, leads.slice(0, 4));
  for (const id of [busy, idle]) await noteEvents(id, 4);
  const due = new DueWorkspaces(pool, blockLeads);
  expect((await turn(due)).toSorted()).toEqual([busy, idle].toSorted());
  expect(await turn(due)).toEqual([]);
  await insertLeads(pool, busy, leads.slice(4, 8));
  await noteEvents(busy, 4);
  await noteEvents(idle, 1);
  expect(await turn(due)).toEqual([]);
  await insertLeads(pool, busy, leads.slice(8));
  await noteEvents(busy, 4);
  expect(await turn(due)).toEqual([busy]);
  // They are too young.
  expect(await turn(due)).toEqual([busy]);
  clock.advance(minuteMs);
  expect(await turn(due)).toEqual([busy]);
  expect(await turn(due)).toEqual([]);
  const erase = async (...ids: string[]) => {
    const erased = await findOriginals(pool, busy, ids, 1_000);
    await inTransaction(pool, (client) => deleteLeads(client, busy, erased));
  };
  await erase(leads[1]?.id as string);
  expect(await turn(due)).toEqual([busy]);
  expect(await turn(due)).toEqual([]);
  // No block is left, and no gap between blocks.
  const all = (await pool.query('select submission_id as id from leads where workspace_id = $1', [busy]))
    .rows;
  await erase(all[0].id, all.at(-1).id, all[4].id);
  await pool.query('delete from lead_blocks where workspace_id = $1', [busy]);
  expect(await turn(due)).toEqual([busy]);
  expect(await turn(due)).toEqual([]);
  const started = await createWorkspace();
  await noteEvents(started, 1);
  expect(await turn(due)).toEqual([started]);
  expect(await turn(due)).toEqual([]);
});
