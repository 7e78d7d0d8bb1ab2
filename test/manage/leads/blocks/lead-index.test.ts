import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDropped, dropBlocksWithout } from '../../../../src/db/leads/blocks/dropped-blocks.ts';
import type { LeadOrder, SortColumn } from '../../../../src/db/leads/lead-order.ts';
import { deleteLeads, findOriginals } from '../../../../src/db/leads/leads.ts';
import { inTransaction } from '../../../../src/db/pool.ts';
import { type Condition, filterOps, matches } from '../../../../src/domain/destination/filter.ts';
import { compareKeys, sortKeyOf } from '../../../../src/domain/lead/blocks/sort-key.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../../support/database/database.ts';
import { build, listed } from './built-blocks.ts';
import { gradeOf, insertLeads, plainLeads, someLeads, start, type TestLead, word } from './random-leads.ts';

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

function sortedLeads(leads: readonly TestLead[], { column, isAscending }: LeadOrder): TestLead[] {
  const keyOf = ({ fields, score, grade, verdict }: TestLead) => {
    if (column === 'received') return '';
    if (column === 'score') return sortKeyOf(String(score));
    if (column === 'grade') return grade;
    if (column === 'verdict') return String(['clean', 'suspect', 'spam'].indexOf(verdict));
    const json = fields[column.slice('field.'.length)];
    return json === undefined ? null : sortKeyOf(JSON.stringify(json));
  };
  return leads.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    if ((one === null) !== (other === null)) return one === null ? 1 : -1;
    const order =
      compareKeys(one ?? '', other ?? '') || a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);
    return isAscending ? order : -order;
  });
}

const facts = (lead: TestLead) =>
  ({
    ...{
      workspaceId: '',
      submissionId: lead.id,
      formId: null,
      form: null,
      receivedAt: lead.at,
      surface: 'server',
    },
    ...{ verdict: lead.verdict, score: lead.score, grade: lead.grade, fields: JSON.stringify(lead.fields) },
    ...{ enrichment: null, isEnriched: true, reasons: '[]', isTest: false },
  }) as Parameters<typeof matches>[1];

const condition: fc.Arbitrary<Condition> = fc
  .record({
    field: fc.constantFrom('score', 'grade', 'verdict', 'field.name', 'field.size'),
    op: fc.constantFrom(...filterOps),
    text: word,
  })
  .map(({ field, op, text }) => {
    if (op === 'exists') return { field, op, value: text.length > 3 };
    if (op === 'gte' || op === 'lte') return { field, op, value: text.length * 5 };
    if (op === 'in' || op === 'not_in') return { field, op, value: [text, 'clean', 50] };
    return { field, op, value: text === '' ? 'B' : text };
  });

const columns: SortColumn[] = ['received', 'score', 'grade', 'verdict', 'field.name', 'field.size'];
const filter = fc.record({
  text: fc.option(
    word.filter((text) => text !== ''),
    { nil: undefined },
  ),
  where: fc.array(condition, { maxLength: 2 }),
});

/** What PostgreSQL takes for the same letter differs here from JavaScript. */
const isPlain = (text: string) => !/[İΣσς]/.test(text);

test('a list is the same with blocks, while they are built, and without', async () => {
  const run = fc.asyncProperty(
    someLeads,
    filter,
    fc.constantFrom(...columns),
    fc.boolean(),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 3, max: 20 }),
    async (seeds, { text, where }, column, isAscending, limit, blockLeads) => {
      const workspaceId = randomUUID();
      const leads = seeds.map(
        ({ seconds, ...lead }): TestLead => ({
          ...lead,
          id: randomUUID(),
          at: new Date(start + seconds * 1_000),
          grade: gradeOf(lead.score),
        }),
      );
      await insertLeads(pool, workspaceId, leads);
      // Another workspace has the same leads.
      await insertLeads(pool, randomUUID(), leads.slice(0, 3));
      const order = { column, isAscending };
      const asked = { text, fieldValues: new Map(), where };
      const without = await listed(pool, workspaceId, asked, { ...order }, limit);
      const matching = leads.filter((lead) => matches({ all: where }, facts(lead)) && contains(lead, text));
      const expected = sortedLeads(matching, order).map(({ id }) => id);
      const isSorted = without.preparing === null;
      const texts = [text, ...where.flatMap(({ value }) => value), JSON.stringify(leads)].map(String);
      if (isSorted && texts.every(isPlain)) expect(without.ids).toEqual(expected);
      await build(pool, workspaceId, blockLeads, 1);
      const between = await listed(pool, workspaceId, asked, order, limit);
      await build(pool, workspaceId, blockLeads);
      const indexed = await listed(pool, workspaceId, asked, order, limit);
      if (indexed.preparing !== null) return;
      if (isSorted) expect(indexed.ids).toEqual(without.ids);
      if (between.preparing === null) expect(between.ids).toEqual(indexed.ids);
      if (texts.every(isPlain)) expect(indexed.ids).toEqual(expected);
    },
  );
  await fc.assert(run, { numRuns: 30, seed: 44 });
}, 120_000);

function contains({ fields }: TestLead, text: string | undefined): boolean {
  if (text === undefined) return true;
  const texts = Object.values(fields).filter((one) => one !== null);
  const shown = texts.map((one) => (typeof one === 'object' ? pgText(one) : String(one)));
  return shown.some((one) => one.toLowerCase().includes(text.toLowerCase()));
}

/** As PostgreSQL writes jsonb. */
function pgText(json: unknown): string {
  return JSON.stringify(json, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/^([[{]) | ([\]}])$/g, '$1$2');
}

async function rowsOf(workspaceId: string): Promise<number> {
  const { rows } = await pool.query(
    `select (select count(*) from lead_blocks where workspace_id = $1 and leads > 0)
       + (select count(*) from lead_grams where workspace_id = $1)
       + (select count(*) from dropped_lead_blocks where workspace_id = $1)
       + (select count(*) from lead_runs where workspace_id = $1) as count`,
    [workspaceId],
  );
  return Number(rows[0].count);
}

const byName: LeadOrder = { column: 'field.name', isAscending: true };

async function erase(workspaceId: string, { id }: TestLead): Promise<void> {
  const erased = await findOriginals(pool, workspaceId, [id], 1);
  await inTransaction(pool, (client) => deleteLeads(client, workspaceId, erased));
}

test('an erased lead leaves nothing in the index, and the others are found meanwhile and afterwards', async () => {
  const workspaceId = randomUUID();
  const leads = plainLeads(8);
  await insertLeads(pool, workspaceId, leads);
  await build(pool, workspaceId, 8);
  expect(await rowsOf(workspaceId)).toBeGreaterThan(0);
  const [erased, ...others] = leads as [TestLead, ...TestLead[]];
  await erase(workspaceId, erased);
  const { rows } = await pool.query('select from lead_runs where workspace_id = $1', [workspaceId]);
  expect(rows).toEqual([]);
  expect(await clearDropped(pool, workspaceId, 4)).toBe(true);
  expect(await clearDropped(pool, workspaceId, 4)).toBe(false);
  expect(await rowsOf(workspaceId)).toBe(0);
  const all = { fieldValues: new Map(), text: 'number' };
  const expected = others.map(({ id }) => id);
  expect((await listed(pool, workspaceId, all, { column: 'received', isAscending: true }, 3)).ids).toEqual(
    expected,
  );
  await build(pool, workspaceId, 6);
  expect((await listed(pool, workspaceId, all, byName, 3)).ids).toEqual(expected);
});

test('the grams of a dropped block never become those of another', async () => {
  const workspaceId = randomUUID();
  const leads = plainLeads(8);
  await insertLeads(pool, workspaceId, leads);
  await build(pool, workspaceId, 8);
  const [erased, ...others] = leads as [TestLead, ...TestLead[]];
  await erase(workspaceId, erased);
  await build(pool, workspaceId, 7);
  const search = { fieldValues: new Map(), text: 'number' };
  const newestFirst = { column: 'received', isAscending: false } as const;
  const expected = others.map(({ id }) => id).toReversed();
  expect((await listed(pool, workspaceId, search, newestFirst, 3)).ids).toEqual(expected);
  await clearDropped(pool, workspaceId, 4);
  expect((await listed(pool, workspaceId, search, newestFirst, 3)).ids).toEqual(expected);
});

test('a lead that comes late is found as soon as it is noted, and in the block that is built then', async () => {
  const workspaceId = randomUUID();
  const leads = plainLeads(9);
  const late = leads[4] as TestLead;
  const inTime = leads.filter((lead) => lead !== late);
  await insertLeads(pool, workspaceId, inTime);
  await build(pool, workspaceId, 4);
  await insertLeads(pool, workspaceId, [late]);
  const noted = (lead: TestLead) => ({ submissionId: lead.id, receivedAt: lead.at });
  const before = await rowsOf(workspaceId);
  await inTransaction(pool, (client) => dropBlocksWithout(client, workspaceId, inTime.map(noted)));
  expect(await rowsOf(workspaceId)).toBe(before);
  await inTransaction(pool, (client) => dropBlocksWithout(client, workspaceId, [noted(late)]));
  const all = { fieldValues: new Map(), text: 'number 4' };
  expect((await listed(pool, workspaceId, all, { column: 'received', isAscending: false }, 3)).ids).toEqual([
    late.id,
  ]);
  await build(pool, workspaceId, 4);
  const everything = { fieldValues: new Map() };
  expect((await listed(pool, workspaceId, everything, byName, 4)).ids).toEqual(leads.map(({ id }) => id));
});

test('more marked leads than are sorted at once are all in a sorted list', async () => {
  const workspaceId = randomUUID();
  const leads = plainLeads(9);
  await insertLeads(pool, workspaceId, leads);
  await pool.query(`update leads set verdict = 'spam', scored_verdict = 'clean' where workspace_id = $1`, [
    workspaceId,
  ]);
  await pool.query(
    `insert into lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by)
     select shard, workspace_id, submission_id, 1, 'spam', now(), 'test' from leads where workspace_id = $1`,
    [workspaceId],
  );
  const marked = { fieldValues: new Map(), mark: 'spam' } as const;
  const expected = leads.map(({ id }) => id);
  for (const column of ['field.name', 'verdict', 'score'] as const)
    expect((await listed(pool, workspaceId, marked, { column, isAscending: true }, 4)).ids).toEqual(expected);
  await build(pool, workspaceId, 4);
  for (const column of ['field.name', 'verdict', 'score'] as const)
    expect((await listed(pool, workspaceId, marked, { column, isAscending: true }, 4)).ids).toEqual(expected);
});
