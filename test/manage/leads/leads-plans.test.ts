import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Position } from '../../../src/db/keyset.ts';
import { countChosen } from '../../../src/db/leads/actions/chosen-leads.ts';
import { isFoundByMark, type LeadFilter } from '../../../src/db/leads/lead-filter.ts';
import { listedLeads, wholeLeads } from '../../../src/db/leads/lead-rows.ts';
import type { LeadCondition } from '../../../src/db/leads/lead-where.ts';
import * as leads from '../../../src/db/leads/leads.ts';
import { readLeadsToSort } from '../../../src/db/leads/sorted-leads.ts';
import type { Queryable } from '../../../src/db/pool.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';

const workspaceId = randomUUID();
const formId = randomUUID();
const received = new Date('2026-11-15T08:00:00Z');
const hourAgo = new Date(received.getTime() - 3_600_000);

const noId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
let submissionId: string;

/** So many leads that reading all of them would never be the cheaper way, half of them other workspaces'. */
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
  client = await pool.connect();
  await client.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
       grade, verdict, reasons, ruleset)
     select w.shard, w.id, gen_random_uuid(), case when n % 500 = 0 then $3::uuid else gen_random_uuid() end, 'server',
       $4::timestamptz - n * interval '1 second', 'body', jsonb_build_object('email', 'lead' || n || '@example.com'),
       40, 0, 'B', case when n % 300 = 0 then 'spam' else 'clean' end, '[]', 'test'
     from generate_series(1, 40000) as n
     cross join lateral (
       select $1::smallint as shard, $2::uuid as id where n % 2 = 0
       union all select n % 64, md5((n % 100)::text)::uuid where n % 2 = 1
     ) as w`,
    [shardOf(workspaceId), workspaceId, formId, received],
  );
  const { rows } = await client.query(
    `with marked as (
       update leads set scored_verdict = 'clean' where workspace_id = $1 and verdict = 'spam' returning *
     ), marks as (
       insert into lead_marks (shard, workspace_id, submission_id, number, mark, marked_at, marked_by)
       select shard, workspace_id, submission_id, 1, 'spam', received_at, 'test' from marked returning submission_id
     ) select submission_id from marks limit 1`,
    [workspaceId],
  );
  submissionId = rows[0].submission_id;
  await client.query('vacuum analyze leads, lead_marks, lead_enrichments');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** Runs what it is asked to, and keeps how each table was reached. */
class Explained {
  readonly scans: Plan[] = [];

  get db(): Queryable & pg.PoolClient {
    const query = async (sql: string, values: unknown[]) => {
      const { rows } = await client.query(`explain (format json) ${sql}`, values);
      this.#keep(rows[0]['QUERY PLAN'][0].Plan);
      return client.query(sql, values);
    };
    return { query } as unknown as pg.PoolClient;
  }

  #keep(plan: Plan): void {
    if (plan['Relation Name'] !== undefined) this.scans.push(plan);
    for (const inner of plan.Plans ?? []) this.#keep(inner);
  }
}

/** How the table of leads was reached. */
async function scansOf(work: (db: pg.PoolClient) => Promise<unknown>): Promise<Plan[]> {
  const explained = new Explained();
  await client.query('begin');
  try {
    await work(explained.db);
  } finally {
    await client.query('rollback');
  }
  return explained.scans.filter((scan) => scan['Relation Name'] === 'leads');
}

function indexOf(scan: Plan): string | undefined {
  return scan['Index Name'] ?? scan.Plans?.map(indexOf)[0];
}

function expectIndexed(scans: readonly Plan[]): void {
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    expect(scan['Node Type']).toMatch(/^(?:Index Scan|Index Only Scan|Bitmap Heap Scan|Tid Scan)$/);
    if (/^(?:Bitmap Heap|Tid) Scan$/.test(scan['Node Type'])) continue;
    expect(scan['Index Cond']).toContain('shard = ');
    expect(scan['Index Cond']).toContain('workspace_id = ');
  }
}

const filters: Record<string, Partial<LeadFilter>> = {
  nothing: {},
  'a form': { formId },
  'a form that has none': { formId: randomUUID() },
  'a verdict': { verdict: 'spam' },
  'a surface': { surface: 'webhook' },
  'a time': { from: hourAgo, to: received },
  'all of these': { formId, verdict: 'spam', surface: 'server', from: hourAgo, to: received },
  'a text': { text: 'lead4' },
  'a text that no lead has': { text: 'nowhere', formId },
  'a field': { fieldValues: new Map([['email', 'lead4@example.com']]) },
  'a mark': { mark: 'spam' },
  'a mark and a text': { mark: 'not_spam', text: 'lead' },
  'no mark': { mark: 'none', verdict: 'clean' },
};
const places = {
  'from the newest on': { after: null },
  'from the middle on': { after: { at: hourAgo, id: randomUUID(), value: null } },
  'back to a time': { after: { at: received, id: randomUUID(), value: null }, until: hourAgo },
};
const lists = Object.entries(filters).flatMap(([what, filter]) =>
  Object.entries(places).map(([where, place]) => [what, where, filter, place] as const),
);

test.each(lists)(
  'a list by %s, %s, never reads the whole table of leads',
  async (_what, _where, filter, place) => {
    const all = { fieldValues: new Map(), ...filter };
    const stretch = { ...place, limit: 51, readMax: 2_000, bytesMax: 1_048_576 };
    const found = await scansOf((db) => leads.findLeads(db, workspaceId, all, stretch, listedLeads));
    const placed = await scansOf((db) => leads.findPlace(db, workspaceId, all, stretch));
    expectIndexed([...found, ...placed]);
    // By the index of the list, which ends with the page or the stretch; marked leads are few.
    const ofList = isFoundByMark(all) ? placed : [...found, ...placed];
    expect(new Set(ofList.map(indexOf))).toEqual(new Set(['leads_newest']));
  },
);

test('leads that a filter excludes are skipped in the index', async () => {
  const all = { fieldValues: new Map(), formId, verdict: 'spam', surface: 'server' } as const;
  const stretch = { after: null, limit: 51, readMax: 51, bytesMax: 1_048_576 };
  const scans = await scansOf((db) => leads.findLeads(db, workspaceId, all, stretch, wholeLeads));
  expect(scans.map((scan) => scan['Index Cond'])).toEqual([
    expect.stringMatching(/form_id = .*verdict = .*surface = /),
  ]);
});

const checked: Record<string, LeadCondition> = {
  'not of a form': { formIds: [randomUUID(), formId], isNot: true },
  'of one of some forms': { formIds: [randomUUID(), randomUUID()], isNot: false },
  'not of a verdict': { field: 'verdict', op: 'ne', value: 'clean' },
  'of a part of a verdict': { field: 'verdict', op: 'contains', value: 'sus' },
  'of a surface that is not among some': { field: 'surface', op: 'not_in', value: ['server', 'webhook'] },
};
test.each(Object.entries(checked))(
  'leads %s are chosen without reading any other lead',
  async (_what, condition) => {
    const byIndex = { fieldValues: new Map(), where: [condition] };
    const byText = { ...byIndex, text: 'lead4' };
    const stretch = { after: null, limit: 51, readMax: 51, bytesMax: 1_048_576 };
    const reads = { readMax: 51, from: hourAgo, to: received };
    const ways: ((db: pg.PoolClient) => Promise<unknown>)[] = [
      (db) => leads.findLeads(db, workspaceId, byIndex, stretch, listedLeads),
      (db) => leads.findLeads(db, workspaceId, byText, stretch, listedLeads),
      (db) => readLeadsToSort(db, workspaceId, byText, 'score', reads),
      (db) => countChosen(db, workspaceId, byText, stretch),
    ];
    for (const way of ways) {
      const scans = await scansOf(way);
      const ways = scans.map((scan) => `${scan['Node Type']} ${indexOf(scan)}`);
      expect(new Set(ways)).toEqual(new Set(['Index Only Scan leads_newest', 'Index Scan leads_pkey']));
    }
  },
);

test.each([
  [false, { to: received }, { from: received }],
  [true, { from: hourAgo }, { to: hourAgo }],
])(
  'a page of a list that begins at a time is read from its place on, oldest first: %s',
  async (isOldestFirst, filter, beyond) => {
    const stretch = { isOldestFirst, limit: 3, readMax: 3, bytesMax: 1_048_576 };
    const all = { fieldValues: new Map(), ...filter };
    const find = (after: Position | null, db: Queryable = pool) =>
      leads.findLeads(db, workspaceId, all, { ...stretch, after }, listedLeads);
    const ids = async (after: Position | null) => (await find(after)).leads.map(({ submissionId: id }) => id);
    const first = (await find(null)).leads;
    const [second, ...others] = first.slice(1).map(({ receivedAt: at, submissionId: id }) => ({ at, id }));
    const place = second as Position;
    expect((await ids(place))[0]).toBe(others[0]?.id);
    const [begin = received] = Object.values(beyond);
    const ahead = { at: new Date(begin.getTime() + (isOldestFirst ? -1 : 1)), id: randomUUID() };
    for (const early of [ahead, { at: begin, id: isOldestFirst ? noId : lastId }])
      expect(await ids(early)).toEqual(first.map(({ submissionId: id }) => id));
    const [scan] = await scansOf((db) => find(place, db));
    expect(scan?.['Index Cond']).toMatch(/ROW\(received_at, submission_id\) [<>] ROW/);
    expect(scan?.['Index Cond']).not.toMatch(/[^(]received_at [<>]=? '|\(received_at [<>]=? '/);
  },
);

test('a condition on one form, verdict or surface is looked for in the index', async () => {
  const where: LeadCondition[] = [
    { formIds: [formId], isNot: false },
    { field: 'verdict', op: 'eq', value: 'spam' },
    { field: 'surface', op: 'in', value: ['server'] },
  ];
  const stretch = { after: null, limit: 51, readMax: 51, bytesMax: 1_048_576 };
  const all = { fieldValues: new Map(), where };
  const scans = await scansOf((db) => leads.findLeads(db, workspaceId, all, stretch, listedLeads));
  expect(scans.map((scan) => scan['Index Cond'])).toEqual([
    expect.stringMatching(/form_id = .*verdict = .*surface = /),
  ]);
});

const ofOne: Record<string, (db: pg.PoolClient) => Promise<unknown>> = {
  'the oldest lead': (db) => leads.findOldestTime(db, workspaceId),
  'a lead of a sorted page': (db) => leads.readLeads(db, workspaceId, [submissionId], 1_048_576, listedLeads),
  'one lead': (db) => leads.findLead(db, workspaceId, submissionId),
  'its body': (db) => leads.findLeadBody(db, workspaceId, submissionId),
  'how leads of a form came in': (db) => leads.listLeadSources(db, workspaceId, formId, hourAgo),
  'its token': (db) => leads.findArrival(db, workspaceId, submissionId),
  'its original': (db) => leads.findOriginals(db, workspaceId, [submissionId], 1),
  'its lock': (db) => leads.lockLead(db, workspaceId, submissionId),
  'its erasure': (db) => leads.deleteLeads(db, workspaceId, [{ submissionId, receivedAt: new Date() }]),
};
test.each(Object.entries(ofOne))('%s is found without reading the whole table of leads', async (_, work) => {
  const scans = await scansOf(work);
  expectIndexed(scans.filter((scan) => scan['Node Type'] !== 'ModifyTable'));
});

test('every query on leads is explained', () => {
  const asked = [
    'findLeads',
    'findPlace',
    'readLeads',
    'findOldestTime',
    'findLead',
    'findLeadBody',
    'findArrival',
    'findOriginals',
    'listLeadSources',
  ];
  const changing = ['lockLead', 'deleteLeads'];
  expect(Object.keys(leads).toSorted()).toEqual([...asked, ...changing].toSorted());
});
