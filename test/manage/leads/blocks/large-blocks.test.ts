import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeadOrder } from '../../../../src/db/leads/lead-order.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../../support/database/database.ts';
import { build, listed } from './built-blocks.ts';
import { insertLeads, plainLeads, type TestLead } from './random-leads.ts';

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

const byName: LeadOrder = { column: 'field.name', isAscending: true };

/** Texts and names that occur nowhere else, as a sender might send them. */
const varied = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) =>
    String.fromCharCode(0x100 + ((from + n * 7) % 700), 0x100 + (n % 700)),
  );

test('leads full of different text or field names neither make a block large nor are missed', async () => {
  const workspaceId = randomUUID();
  const fieldsOf = [
    ...[0, 1, 2].map((n) => ({ name: varied(6_000, n).join('') })),
    ...[3, 4, 5].map((n) =>
      Object.fromEntries([
        ['name', `Number ${n}`],
        ...varied(1_500, n).map((key, i) => [`${n}${key}${i}`, 1]),
      ]),
    ),
    { name: 'Number 6' },
  ];
  const leads = plainLeads(fieldsOf.length).map((lead, n) => ({ ...lead, fields: fieldsOf[n] as object }));
  await insertLeads(pool, workspaceId, leads as TestLead[]);
  await build(pool, workspaceId, leads.length);
  const { rows } = await pool.query(
    `select (select count(*)::int from lead_grams where workspace_id = $1) as grams,
       array(select leads from lead_blocks where workspace_id = $1 and leads > 0 order by from_at desc) as leads`,
    [workspaceId],
  );
  expect(rows[0].grams).toBeLessThan(30_000);
  expect(rows[0].leads).toEqual([3, 4]);
  const newestFirst = { column: 'received', isAscending: false } as const;
  const found = async (text: string) =>
    (await listed(pool, workspaceId, { fieldValues: new Map(), text }, newestFirst, 3)).ids;
  expect(await found('Number 6')).toEqual([leads[6]?.id]);
  expect(await found(varied(6_000, 1).slice(3_000, 3_010).join(''))).toEqual([leads[1]?.id]);
  expect((await listed(pool, workspaceId, { fieldValues: new Map() }, byName, 3)).ids).toHaveLength(7);
});

test('a block has no more leads than fit into memory, and the others are in further blocks', async () => {
  const workspaceId = randomUUID();
  const leads = plainLeads(9);
  await insertLeads(pool, workspaceId, leads);
  const bytes = Buffer.byteLength('body');
  await build(pool, workspaceId, 9, 100, 4 * bytes);
  const { rows } = await pool.query(
    'select leads from lead_blocks where workspace_id = $1 and leads > 0 order by from_at desc',
    [workspaceId],
  );
  expect(rows.map((row) => row.leads)).toEqual([4, 4, 1]);
  const all = { fieldValues: new Map(), text: 'number' };
  expect((await listed(pool, workspaceId, all, byName, 4)).ids).toEqual(leads.map(({ id }) => id));
});
