import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { sessions } from '../../support/database/servers.ts';
import { eventually } from '../../support/diagnostics.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const fixedHeader =
  '"submission_id","received_at","form_id","form_name","surface","verdict","grade","score","fit","intent","risk","reasons","merits"';
/** The scores of a seeded lead, from the column `score` on. */
const fixedEnd = '40,0,0,0,"",""';
// The clock of the service is real here, and leads of the future are not exported.
const received_at = '2025-06-01T08:00:00Z';

function exported(query = '') {
  return service.api('GET', `/workspaces/${workspaceId}/leads/export${query}`);
}

const addressOf = (query: string) => `${service.url}/api/v1/workspaces/${workspaceId}/leads/export${query}`;
const headersOf = () => ({ Authorization: `Bearer ${service.operatorKey}` });

async function csvRows(query = ''): Promise<string[]> {
  return (await exported(query)).text.split('\r\n').slice(0, -1);
}

/** Adds `count` leads in one statement, each older than the one before. */
async function manyLeads(count: number, at = received_at, secondsApart = 1): Promise<void> {
  const id = await seed.lead(workspaceId, { received_at: at, fields: { n: 0 } });
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * $3::float8 * interval '1 second',
       body, jsonb_build_object('n', n, 'text', repeat('x', 1000)), score, risk, grade, verdict, reasons, ruleset
     from leads, generate_series(1, $2::int) as n where submission_id = $1`,
    [id, count - 1, secondsApart],
  );
}

test('CSV is the default: fixed columns, then declared keys, then the keys seen', async () => {
  const form = await createForm(service, workspaceId, {
    name: 'Contact',
    fields: [{ key: 'phone' }, { key: 'email' }],
  });
  const fields = { email: 'ada@example.com', zip: 12345 };
  const id = await seed.lead(workspaceId, { received_at, fields, form_id: form.id });
  const answer = await exported();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(answer.text).toBe(
    `${fixedHeader},"phone","email","zip"\r\n` +
      `"${id}","2025-06-01T08:00:00.000Z","${form.id}","Contact","server","clean","B",${fixedEnd},,"ada@example.com",12345\r\n`,
  );
});

test('a workspace without leads exports a header', async () => {
  expect(await csvRows()).toEqual([fixedHeader]);
});

test('values keep their commas, quotes, line breaks and structure', async () => {
  const fields = { a: 'x, "y"\nz', b: { c: [1, null] }, d: true, e: null, f: 'ü 漢字' };
  await seed.lead(workspaceId, { received_at, fields });
  const { text } = await exported();
  expect(text).toContain(',"x, ""y""\nz","{""c"": [1, null]}",true,,"ü 漢字"\r\n');
});

test.each(['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '\rx', ' \u200b＝1'])(
  'the text %j cannot run as a formula, neither as a value nor as the name of a column',
  async (text) => {
    await seed.lead(workspaceId, { received_at, fields: { [text]: text } });
    const { text: csv } = await exported();
    const cells = csv.split('\r\n').map((row) => row.split(',').at(-1));
    expect(cells.slice(0, 2)).toEqual([`"'${text}"`, `"'${text}"`]);
  },
);

test('the name of a form cannot run as a formula either, and stays after the form is deleted', async () => {
  const form = await createForm(service, workspaceId, { name: '=HYPERLINK("http://x", "y")' });
  await seed.lead(workspaceId, { received_at, form_id: form.id });
  await service.api('DELETE', `/workspaces/${workspaceId}/forms/${form.id}`);
  expect((await csvRows())[1]).toContain(`,"${form.id}","'=HYPERLINK(""http://x"", ""y"")","server",`);
});

test('fit, intent, risk and what they are made of have their columns', async () => {
  const reasons = [
    { code: 'EMAIL_TYPO', points: 10, evidence: 'gmail.com' },
    { code: 'FIT_PHONE', points: 15 },
    { code: 'FIT_COUNTRY_OTHER', points: -5 },
    { code: 'INTENT_QUESTION', points: 10 },
  ];
  await seed.lead(workspaceId, { received_at, score: 9, risk: 10, reasons: JSON.stringify(reasons) });
  expect((await csvRows())[1]).toContain(
    ',9,10,10,10,"EMAIL_TYPO +10","FIT_PHONE +15; FIT_COUNTRY_OTHER -5; INTENT_QUESTION +10",',
  );
});

test('a phone number stays unchanged', async () => {
  await seed.lead(workspaceId, { received_at, fields: { phone: '+49 (30) 123-45/6' } });
  expect((await csvRows())[1]).toMatch(/,"\+49 \(30\) 123-45\/6"$/);
});

test('a negative number stays a number', async () => {
  await seed.lead(workspaceId, { received_at, fields: { balance: -5 } });
  expect((await csvRows())[1]).toMatch(/,-5$/);
});

test('nested values are JSON text, in all columns and in chosen ones', async () => {
  await seed.lead(workspaceId, { received_at, fields: { basket: { a: [1, 2] }, tags: [] } });
  expect((await csvRows())[1]).toMatch(/,"\{""a"": ?\[1, ?2\]\}","\[\]"$/);
  const columns = encodeURIComponent('["field.basket"]');
  expect((await csvRows(`?columns=${columns}`))[1]).toMatch(/^"\{""a"": ?\[1, ?2\]\}"$/);
});

test('a key with the name of a fixed column, or of a member of every object, gets its own column', async () => {
  await seed.lead(workspaceId, { received_at, fields: { score: 'mine', constructor: 'ACME' } });
  await seed.lead(workspaceId, { received_at: '2025-05-01T08:00:00Z', fields: {} });
  const [header, first, second] = await csvRows();
  expect(header).toMatch(/,"constructor","field\.score"$/);
  expect(first).toMatch(/,"","","ACME","mine"$/);
  expect(second).toMatch(/,"","",,$/);
});

test('keys past the most frequent 500 share a column, so that nothing is lost', async () => {
  const many = Object.fromEntries(Array.from({ length: 505 }, (_, i) => [`key_${i}`, i]));
  await seed.lead(workspaceId, { received_at, fields: { ...many, common: 'x' } });
  await seed.lead(workspaceId, { received_at: '2025-05-01T08:00:00Z', fields: { common: 'y' } });
  const [header = '', first = '', second = ''] = await csvRows();
  expect(header.split(',')).toHaveLength(13 + 500 + 1);
  expect(header).toMatch(/^("\w+",){13}"common",.*,"other_fields"$/);
  const others = JSON.parse(first.slice(first.indexOf('"{') + 1, -1).replaceAll('""', '"'));
  expect(Object.keys(others)).toHaveLength(6);
  expect(second).toMatch(/,$/);
});

test('NDJSON has one lead per line, as the list shows it', async () => {
  await seed.lead(workspaceId, { received_at, fields: { text: 'two\nlines' } });
  const answer = await exported('?format=ndjson');
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/leads`);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(answer.text.split('\n')).toEqual([expect.any(String), '']);
  expect(JSON.parse(answer.text)).toEqual(json.items[0]);
});

test.each(['csv', 'ndjson'])(
  'an export of many pages holds each lead once, newest first (%s)',
  async (format) => {
    await manyLeads(1001);
    const { text } = await exported(`?format=${format}`);
    const numbers = [...text.matchAll(format === 'csv' ? /,"","",(\d+),/g : /"n": (\d+)/g)].map(([, n]) =>
      Number(n),
    );
    expect(numbers).toHaveLength(1001);
    expect(numbers.at(-1)).toBe(1000);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  },
);

test('an export takes the filters of the list, and has no columns of leads it leaves out', async () => {
  await seed.lead(workspaceId, { received_at, fields: { plan: 'pro' } });
  await seed.lead(workspaceId, { received_at, fields: { plan: 'free', only_here: 1 } });
  const rows = await csvRows('?field.plan=pro');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/,"plan"$/);
});

test.each([
  ['format=xls', 'format', 'use one of csv, ndjson, xlsx'],
  ['limit=5', 'limit', expect.stringMatching(/^unknown filter/)],
])('an export with the query %s is refused', async (query, field, message) => {
  const { status, json } = await exported(`?${query}`);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message }]);
});

test.each(['ndjson', 'xlsx'])('an export that fails does not look complete (%s)', async (format) => {
  await manyLeads(20_000);
  const response = await startExport(format);
  await seed.query('alter table leads rename to leads_away');
  const ended = new Promise((resolve) => {
    response
      .once('end', () => resolve('complete'))
      .once('error', () => resolve('broken off'))
      .resume();
  });
  expect(await ended).toBe('broken off');
  await seed.query('alter table leads_away rename to leads');
});

describe.each(['ndjson', 'xlsx'])('in a separate database (%s)', (format) => {
  let whole: TestService;
  let wholeSeed: Seed;
  let database: TestDatabase;
  beforeAll(async () => {
    [whole, wholeSeed] = [service, seed];
    database = await createTestDatabase();
    service = await startTestService({ databaseUrl: database.url });
    seed = new Seed(service);
  });
  afterAll(async () => {
    await seed.stop();
    await database.drop();
    [service, seed] = [whole, wholeSeed];
  });

  // On a cluster the index, and what was read of it, is on the nodes.
  test.skipIf(inject('nodeUrls').length > 0)(
    'an export stops querying the database when its reader disconnects',
    async () => {
      try {
        // So young that the index does not read them, too.
        await manyLeads(20_000, new Date().toISOString(), 0.001);
        (await startExport(format)).destroy();
      } finally {
        await service.stop();
      }
      // PostgreSQL counts all that a session has read once it has ended.
      await eventually(
        () => sessions(database.url, `application_name like 'leadgate%'`),
        ({ length }) => length === 0,
      );
      const rows = await leadsRead();
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThan(10_000);
    },
  );
});

/** The answer, of which one chunk has been read. */
function startExport(format: string): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    httpGet(addressOf(`?format=${format}`), { headers: headersOf() }, (response) => {
      response.once('data', () => resolve(response.pause()));
    });
  });
}

/** How many leads were read in the order of the list, since the database exists. */
async function leadsRead(): Promise<number> {
  const [row] = await seed.query(
    "select idx_tup_read::int as rows from pg_stat_user_indexes where indexrelname = 'leads_newest'",
  );
  return row.rows;
}

test('a sorted export has all leads or is refused, and one by time is never refused', async () => {
  // So young that no block of the index has them, and more than are sorted without it.
  await manyLeads(9_100, new Date().toISOString(), 0.001);
  const refused = await exported('?sort=score&format=ndjson');
  expect(refused).toMatchObject({ status: 409, json: { code: 'not_sorted' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await exported('?sort=field.n')).toMatchObject({ status: 409, json: { code: 'not_sorted' } });
  for (const query of ['', '&sort=verdict', '&sort=form&order=asc'])
    expect((await exported(`?format=ndjson${query}`)).text.trim().split('\n')).toHaveLength(9_100);
}, 60_000);
