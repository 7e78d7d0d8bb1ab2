import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditFilters, listAudit, listOperatorAudit } from '../../src/db/workspaces/audit-log.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';

const rowsMax = 40_000;
const limit = 51;
const workspaceId = randomUUID();
const frequent = randomUUID();
const rare = randomUUID();
const now = new Date('2026-11-15T08:00:00Z');
const old = new Date(now.getTime() - (rowsMax - 100) * 1000);
let database: TestDatabase;
let pool: pg.Pool;

/** Nearly all are marks by one person; what is rare is also old. Half of them are operators'. */
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
  await pool.query('insert into workspaces (id, name, created_at, revision) values ($1, $2, now(), 0)', [
    workspaceId,
    'Engines',
  ]);
  await pool.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes, completed, by_operator)
     select gen_random_uuid(), $1, $2::timestamptz - n * interval '1 second', 'person',
       case when n > $5 - 60 then $4::uuid else $3::uuid end, 'ada@example.com',
       case when n > $5 - 60 then 'deleteAForm' else 'markALeadAsSpamOrNotSpam' end, '{}', '{}', true, n % 2 = 0
     from generate_series(1, $5::integer) as n`,
    [workspaceId, now, frequent, rare, rowsMax],
  );
  await pool.query('vacuum analyze audit_log');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function rowsRead(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const here = plan['Relation Name'] === 'audit_log' ? own * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), here);
}

/** How many rows of the log the statement reads. */
async function readBy(work: (db: pg.Pool) => Promise<unknown>): Promise<number> {
  let read = 0;
  const query = async (sql: string, values: unknown[]) => {
    const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, values);
    read += rowsRead(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: [] };
  };
  await work({ query } as unknown as pg.Pool);
  return read;
}

const actions = ['deleteAForm', 'createAForm', 'changeAForm'];
const filters: Record<string, AuditFilters> = {
  nothing: {},
  'a person with few entries': { actor: rare },
  'a person with many': { actor: frequent },
  'a person with none': { actor: randomUUID() },
  'the operator key': { actor: 'operator_key' },
  'rare actions': { actions },
  'rare and frequent actions': { actions: [...actions, 'markALeadAsSpamOrNotSpam'] },
  'actions that nobody did': { actions: ['createAWorkspace'] },
  'rare actions of a person with many others': { actions, actor: frequent },
  'frequent actions of a person with others': { actions: ['markALeadAsSpamOrNotSpam'], actor: rare },
  'a time long ago': { to: old },
  'all of these': { actor: rare, actions, from: old, to: now },
};
const places = { newest: null, old: { at: old, id: randomUUID() } };

test.each(
  Object.entries(filters).flatMap(([what, filter]) =>
    Object.entries(places).map(([where, after]) => [what, where, filter, after] as const),
  ),
)(
  'a page by %s, from the %s on, reads a few pages of rows, however long the log is',
  async (...[, , filter, after]) => {
    const page = { after, limit };
    const most = 4 * limit;
    expect(await readBy((db) => listAudit(db, workspaceId, filter, page))).toBeLessThanOrEqual(most);
    expect(await readBy((db) => listOperatorAudit(db, filter, page))).toBeLessThanOrEqual(most);
  },
);

test('who may act is checked for new entries, and no upgrade reads the old ones for it', async () => {
  const { rows } = await pool.query(
    `select convalidated from pg_constraint where conname = 'audit_log_actor_kind_check'`,
  );
  expect(rows).toEqual([{ convalidated: false }]);
  const change = pool.query(`update audit_log set actor_kind = 'anybody'`);
  await expect(change).rejects.toThrow('audit_log_actor_kind_check');
});
