import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBlocks } from '../../../../src/db/leads/blocks/block-rows.ts';
import type { Queryable } from '../../../../src/db/pool.ts';
import { columnId } from '../../../../src/domain/lead/blocks/columns.ts';
import { RunMerge } from '../../../../src/manage/leads/search/run-merge.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../../support/database/database.ts';
import { build, listed } from './built-blocks.ts';
import { insertLeads, plainLeads } from './random-leads.ts';

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

test.each([7, 63, 64, 65, 128, 200])(
  'a run of %i leads is read to its end, in both directions',
  async (count) => {
    const workspaceId = randomUUID();
    await insertLeads(pool, workspaceId, plainLeads(count));
    const all = { fieldValues: new Map() };
    for (const isAscending of [true, false]) {
      const order = { column: 'field.name', isAscending } as const;
      const without = (await listed(pool, workspaceId, all, { column: 'received', isAscending }, 50)).ids;
      await build(pool, workspaceId, count);
      const { ids, preparing } = await listed(pool, workspaceId, all, order, 50);
      expect(preparing).toBeNull();
      expect(ids.toSorted()).toEqual(without.toSorted());
      expect(new Set(ids).size).toBe(count);
    }
  },
);

test.each([true, false])(
  'blocks in which few leads have a field are all read together, ascending: %s',
  async (isAscending) => {
    const workspaceId = randomUUID();
    await insertLeads(pool, workspaceId, plainLeads(40));
    await build(pool, workspaceId, 4);
    const blocks = await listBlocks(pool, workspaceId);
    const statements: string[] = [];
    const query = (text: string, values: unknown[]) => {
      statements.push(text);
      return pool.query(text, values);
    };
    const merge = await RunMerge.open({
      ...{ workspaceId, blocks, isAscending, after: null },
      db: { query } as unknown as Queryable,
      columnId: columnId('field.name'),
    });
    expect(await merge.take(100)).toHaveLength(40);
    expect(statements).toHaveLength(1);
  },
);
