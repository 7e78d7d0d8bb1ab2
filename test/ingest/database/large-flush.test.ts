import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyFlush, applyFlushOnNode, type OutcomeFlush } from '../../../src/db/diagnostics/outcomes.ts';
import { countUnattributedRequest } from '../../../src/db/diagnostics/unattributed-requests.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';

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

const earlier = '2026-11-18T10:00:00.000Z';
const later = '2026-11-18T10:00:30.000Z';
const forms = Array.from({ length: 175 }, () => ({ formId: randomUUID(), workspaceId: randomUUID() }));
const oneBucket = () => 0;
const awkward = { content_type: `a "b", {c} \\ d\n\t'é' null \u2028 }`, empty: '', repeated: true };
const use = { slug: '', verifiedAt: null };

const flush: OutcomeFlush = {
  counts: forms.map(({ formId, workspaceId }, number) => ({
    shard: shardOf(workspaceId),
    workspaceId,
    minute: earlier,
    surface: 'webhook',
    outcome: 'accepted',
    formId,
    tokenId: randomUUID(),
    count: number + 1,
    proven: 0,
    spam: 0,
    lastAt: later,
  })),
  // A form that was changed in between comes twice.
  formUses: [
    ...forms.map(({ formId }) => ({ ...use, formId, leadAt: later })),
    ...forms.toReversed().map(({ formId }) => ({ ...use, formId, leadAt: earlier })),
  ],
  unattributed: [],
  unattributedRequests: [],
  entries: [],
  notes: [],
  formerSecretUses: [],
  clockDrifts: [],
  handlingTimes: [],
  tokensUsed: [],
};

test('a flush of many workspaces is written whole, and once', async () => {
  const instanceId = randomUUID();
  await applyFlush(pool, instanceId, 1, Date.parse(later), flush);
  await applyFlush(pool, instanceId, 1, Date.parse(later), flush);
  const counted = await pool.query('select form_id, count::int from outcome_counts');
  expect(new Map(counted.rows.map(({ form_id, count }) => [form_id, count]))).toEqual(
    new Map(forms.map(({ formId }, number) => [formId, number + 1])),
  );
  const used = await pool.query('select form_id, lead_at from form_uses');
  expect(new Map(used.rows.map(({ form_id, lead_at }) => [form_id, lead_at.toISOString()]))).toEqual(
    new Map(forms.map(({ formId }) => [formId, later])),
  );
});

test('a flush leaves the same rows on one server as on a node of a cluster', async () => {
  const buckets = (count: number) => Array.from({ length: count }, (_, place) => place);
  const all: OutcomeFlush = {
    ...flush,
    clockDrifts: forms.map(({ formId, workspaceId }) => ({
      ...{ shard: shardOf(workspaceId), workspaceId, formId, minute: earlier, buckets: buckets(17) },
    })),
    handlingTimes: forms.map(({ workspaceId }) => ({
      ...{ shard: shardOf(workspaceId), workspaceId, minute: earlier, buckets: buckets(16) },
    })),
    entries: forms.map(({ formId, workspaceId }) => ({
      ...{ shard: shardOf(workspaceId), workspaceId, id: randomUUID(), at: earlier, surface: 'webhook' },
      ...{
        reason: 'content_type_unsupported',
        formId,
        tokenId: null,
        requestId: randomUUID(),
        detail: awkward,
      },
    })),
  };
  const tables = ['outcome_counts', 'clock_drifts', 'handling_times', 'form_uses', 'rejection_entries'];
  const written = async (apply: typeof applyFlushOnNode) => {
    for (const table of tables) await pool.query(`truncate ${table}`);
    // The second adds to what the first wrote.
    for (const sequence of [1, 2])
      await apply(pool, instanceId, sequence, Date.parse(later), sequence === 1 ? all : added, oneBucket);
    return Promise.all(
      tables.map(async (table) => (await pool.query(`select * from ${table} order by 1, 2, 3, 4`)).rows),
    );
  };
  const added = { ...all, entries: [] };
  const instanceId = randomUUID();
  const here = await written(applyFlush);
  expect(here.map((rows) => rows.length)).toEqual([175, 175, 175, 175, 175]);
  expect(here.at(-1)?.map(({ detail }) => detail)).toEqual(forms.map(() => awkward));
  expect(here).toEqual(await written(applyFlushOnNode));
});

test('of thousands of requests without a workspace, each is found with its time', async () => {
  const requestIds = Array.from({ length: 4_500 }, () => randomUUID());
  const afterMs = requestIds.map((_, place) => place);
  const requests = {
    surface: 'server',
    reason: 'token_unknown',
    firstAt: earlier,
    requestIds,
    afterMs,
  } as const;
  const nothing = { ...flush, counts: [], formUses: [], unattributedRequests: [requests] };
  await applyFlush(pool, randomUUID(), 1, Date.parse(later), nothing);
  const find = (id: string) => countUnattributedRequest(pool, id, new Date(0), new Date(later));
  for (const place of [0, 1_999, 2_000, 4_499])
    expect(await find(requestIds[place] as string)).toEqual([
      { surface: 'server', reason: 'token_unknown', count: 1, lastAt: new Date(Date.parse(earlier) + place) },
    ]);
  expect(await find(randomUUID())).toEqual([]);
});

test('a flush of many workspaces rests between its statements, so that leads come in between', async () => {
  let rests = 0;
  const rest = async () => void rests++;
  await applyFlush(pool, randomUUID(), 1, Date.parse(later), flush, oneBucket, rest);
  // 175 rows of counts and uses of 175 forms, up to 50 each.
  expect(rests).toBe(8);
});
