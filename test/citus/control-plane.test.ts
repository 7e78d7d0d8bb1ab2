import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOriginActivity } from '../../src/db/browser/browser-activity.ts';
import { type BucketMap, readBucketMap } from '../../src/db/citus/nodes/bucket-map.ts';
import { sendEnriched } from '../../src/db/deliver/new-deliveries.ts';
import { applyFlushOnNode, type OutcomeFlush } from '../../src/db/diagnostics/outcomes.ts';
import { lockEnrichments, readLeadsToEnrich } from '../../src/db/enrichment/lead-enrichments.ts';
import { countFormerSecretUses } from '../../src/db/forms/former-secret-uses.ts';
import { listChosen } from '../../src/db/held/decisions/chosen-held.ts';
import { lockHeldRows } from '../../src/db/held/decisions/held-rows.ts';
import { listUnproven } from '../../src/db/held/re-verification.ts';
import { findEqualLeads, findKeyOwners, possibleTwins } from '../../src/db/held/twins.ts';
import {
  deleteBefore,
  deleteExpiredKeys,
  deleteOldAttempts,
  deleteOldDeliveries,
  deleteOldEvents,
} from '../../src/db/housekeeping.ts';
import { listedLeads, wholeLeads } from '../../src/db/leads/lead-rows.ts';
import { lockLeadsToReview } from '../../src/db/leads/lead-second-looks.ts';
import { findLead, findLeads, lockLead } from '../../src/db/leads/leads.ts';
import { readPrints } from '../../src/db/live/workspace-prints.ts';
import { readNotedLeads } from '../../src/db/relay/noted-leads.ts';
import { noteLead } from '../../src/db/relay/outbox.ts';
import { shardCount, shardOf } from '../../src/domain/workspace.ts';
import { relayNotesOfNode } from '../../src/relay/turn.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';

let database: TestDatabase;
let pool: pg.Pool;
let map: BucketMap;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
  map = (await readBucketMap(pool, 10_000)) as BucketMap;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const now = Date.UTC(2026, 10, 16);
const workspaceId = randomUUID();
const submissionId = randomUUID();
const refs = [{ shard: shardOf(workspaceId), workspaceId, submissionId }];
const heldRequest = {
  id: submissionId,
  formId: submissionId,
  receivedAt: new Date(now),
  digest: '00',
  bodyBytes: 2,
  keyHash: Buffer.alloc(32),
};
const stretch = { after: null, limit: 10, readMax: 100, bytesMax: 1_000_000 };
const texts = { text: 'ada', fieldValues: new Map([['email', 'a']]), mark: 'none' } as const;
const marked = { mark: 'spam', fieldValues: new Map() } as const;

const onOneNode: Record<string, (db: never) => Promise<unknown>> = {
  'the list of leads': (db) => findLeads(db, workspaceId, { fieldValues: new Map() }, stretch, listedLeads),
  'a search in leads': (db) => findLeads(db, workspaceId, texts, stretch, wholeLeads),
  'the list of marked leads': (db) => findLeads(db, workspaceId, marked, stretch, listedLeads),
  'a lead': (db) => findLead(db, workspaceId, submissionId),
  'the lock of a lead': (db) => lockLead(db, workspaceId, submissionId),
  'leads to enrich': (db) => readLeadsToEnrich(db, refs),
  'the lock of enrichments': (db) => lockEnrichments(db, refs),
  'leads to review': (db) => lockLeadsToReview(db, refs),
  'uses of a former secret': (db) =>
    countFormerSecretUses(db, workspaceId, workspaceId, new Date(now), new Date(now)),
  'prints of a workspace': (db) => readPrints(db, workspaceId, { now, leadActions: [] }),
  'what became of visits': (db) => listOriginActivity(db, workspaceId, submissionId, new Date(now)),
  'noted leads': (db) => readNotedLeads(db, refs),
  'deliveries that waited for enrichment': (db) =>
    sendEnriched(db, workspaceId, [submissionId], new Date(now)),
  'equal leads of held requests': (db) => findEqualLeads(db, workspaceId, [heldRequest]),
  'leads as long as held requests': (db) => possibleTwins(db, workspaceId, [heldRequest]),
  'owners of the keys of held requests': (db) => findKeyOwners(db, workspaceId, [heldRequest], new Date(now)),
  'the lock of held requests': (db) => lockHeldRows(db, workspaceId, [submissionId], new Date(now)),
  'a selection of held requests': (db) =>
    listChosen(db, workspaceId, { selection: {}, now: new Date(now), admissibleOf: [submissionId] }, 10),
  'requests that are not proven': (db) =>
    listUnproven(db, workspaceId, submissionId, { afterId: null, now: new Date(now), limit: 10 }),
  'old events': (db) => deleteOldEvents(db, 7, now, 10),
  'old attempts': (db) => deleteOldAttempts(db, 7, now, 10),
  'old deliveries': (db) => deleteOldDeliveries(db, 7, now, 10),
  'expired keys': (db) => deleteExpiredKeys(db, 7, now, 10),
  'old counts': (db) => deleteBefore(db, 'outcome_counts', 7, now, 10),
};

test.each(Object.entries(onOneNode))('%s: one task on one node', async (_, work) => {
  const plans: string[] = [];
  const query = async (asked: string | pg.QueryConfig, values?: unknown[]) => {
    const [text, parameters] = typeof asked === 'string' ? [asked, values] : [asked.text, asked.values];
    const { rows } = await pool.query(`explain ${text}`, parameters);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
    // As much of a row as is read from each.
    return { rows: [{ reasons: [] }], rowCount: 1 };
  };
  await work({ query } as never);
  expect(plans.filter((line) => /Task Count|Subplan/.test(line))).toEqual(['  Task Count: 1']);
});

function flushOf(shards: readonly number[]): OutcomeFlush {
  const at = new Date(now).toISOString();
  const counts = shards.map((shard) => {
    const id = `00000000-0000-4000-8000-0000000000${shard.toString(16).padStart(2, '0')}`;
    const names = { surface: 'server', outcome: 'accepted', formId: id, tokenId: id } as const;
    return { shard, workspaceId: id, minute: at, ...names, count: 3, proven: 0, spam: 0, lastAt: at };
  });
  const entries = counts.map(({ shard, workspaceId, formId }) => ({
    ...{ shard, workspaceId, formId, tokenId: null, id: randomUUID(), requestId: randomUUID(), at },
    ...({ surface: 'server', reason: 'body_not_json', detail: { content_type: 'a "b", {c}' } } as const),
  }));
  const none = {
    notes: [],
    unattributed: [],
    unattributedRequests: [],
    tokensUsed: [],
    formUses: [],
  };
  return { counts, entries, ...none, formerSecretUses: [], clockDrifts: [], handlingTimes: [] };
}

async function countOf(shard: number): Promise<number> {
  const { rows } = await pool.query('select sum(count)::int as sum from outcome_counts where shard = $1', [
    shard,
  ]);
  return rows[0].sum;
}

const bucketOf = (shard: number) => map[shard]?.bucket as number;
const shardsOf = (groupId: number) => [...map.keys()].filter((shard) => map[shard]?.groupId === groupId);

test('a flush that is sent again counts once on its node, and so do parts of the same number on other nodes', async () => {
  const instanceId = randomUUID();
  const groups = [...new Set(map.map(({ groupId }) => groupId))];
  expect(groups.length).toBeGreaterThan(1);
  for (const groupId of groups)
    for (const sequence of [1, 1, 2, 2])
      await applyFlushOnNode(pool, instanceId, sequence, now, flushOf(shardsOf(groupId)), bucketOf);
  const counts = await Promise.all(Array.from({ length: shardCount }, (_, shard) => countOf(shard)));
  expect(counts).toEqual(Array.from({ length: shardCount }, () => 6));
  const { rows } = await pool.query(`select detail ->> 'content_type' as type from rejection_entries`);
  expect(rows.map(({ type }) => type)).toEqual(Array(2 * shardCount).fill('a "b", {c}'));
});

test('a flush of one node is committed there alone, and without two-phase commit', async () => {
  const commits: string[] = [];
  const client = await pool.connect();
  client.on('notice', ({ message }) =>
    commits.push(...(/\b(prepare transaction|commit)\b/i.exec(message ?? '') ?? []).slice(0, 1)),
  );
  await client.query(`set citus.log_remote_commands = on; set client_min_messages = notice`);
  const own = { connect: async () => ({ query: client.query.bind(client), release: () => {} }) };
  const groupId = map[0]?.groupId as number;
  await applyFlushOnNode(own as never, randomUUID(), 1, now, flushOf(shardsOf(groupId)), bucketOf);
  await client.query('reset all');
  client.release();
  expect(commits).toEqual(['COMMIT']);
});

async function jobs(): Promise<string[][]> {
  const { rows } = await pool.query('select payload from graphile_worker._private_jobs order by id');
  return rows.map(({ payload }) => payload.leads.map((lead: unknown[]) => lead[2]).toSorted());
}

/** Leads of one node, each with a note. */
async function notedLeads(shards: readonly number[]): Promise<string[]> {
  const ids = shards.map(() => randomUUID());
  for (const [i, shard] of shards.entries()) {
    const workspace = `${randomUUID().slice(0, -2)}${shard.toString(16).padStart(2, '0')}`;
    await pool.query(
      `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
         grade, verdict, reasons, ruleset) values ($1, $2, $3, $2, 'server', now(), '{}', '{}', 0, 0, 'E', 'clean', '[]', '')`,
      [shard, workspace, ids[i]],
    );
    await noteLead(pool, workspace, ids[i] as string, { type: 'lead.accepted' });
  }
  return ids.toSorted();
}

test('a kill after the job and before the deletion of its notes repeats the job, and loses none', async () => {
  const groupId = map[0]?.groupId as number;
  const node = { groupId, shards: shardsOf(groupId) };
  const ids = await notedLeads(node.shards.slice(0, 5));
  const relay = (through: typeof pool) =>
    relayNotesOfNode({ pool: through, clock: systemClock, randomness: systemRandomness }, node, 100);
  const dying = {
    connect: async () => {
      const client = await pool.connect();
      const query = (text: string, values: unknown[]) =>
        text.startsWith('delete') ? Promise.reject(new Error('killed')) : client.query(text, values);
      return { query, release: (error?: Error) => client.release(error) };
    },
  };
  await expect(relay(dying as never)).rejects.toThrow('killed');
  expect(await jobs()).toEqual([ids]);
  // Two at the same time: one of them turns the notes into a job, and the other finds it busy or nothing left.
  await Promise.all([1, 2].map(() => relay(pool)));
  expect(await jobs()).toEqual([ids, ids]);
  expect(await relay(pool)).toBe(false);
  expect(await jobs()).toHaveLength(2);
});
