import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { rowsOf } from '../../support/workbook.ts';
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

const received_at = '2025-06-01T08:00:00Z';
const fixed =
  'submission_id,received_at,form_id,form_name,surface,verdict,grade,score,fit,intent,risk,reasons,merits'.split(
    ',',
  );

function exported(query: string, init: RequestInit = {}): Promise<Response> {
  const address = `${service.url}/api/v1/workspaces/${workspaceId}/leads/export${query}`;
  const headers = { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' };
  return fetch(address, { headers, ...init });
}

async function workbook(query = '', init: RequestInit = {}): Promise<string[][]> {
  return rowsOf(await (await exported(query, init)).bytes());
}

test('no key and no value begins a formula for a reader of semicolons or tabs, nested or in a column of rare keys', async () => {
  const hostile = `x;=cmd|' /C calc'!A0;"=1\t@x\n-1\r+1;\t"=1;y`;
  const many = Object.fromEntries(Array.from({ length: 505 }, (_, i) => [`key_${i}`, i]));
  const fields = { [hostile]: hostile, list: [hostile], object: { [hostile]: hostile } };
  await seed.lead(workspaceId, { received_at, fields: { ...fields, ...many } });
  await seed.lead(workspaceId, { received_at: '2025-05-01T08:00:00Z', fields: { ...many, '; =z': ';+z' } });
  for (const query of [
    '',
    `?columns=${encodeURIComponent(JSON.stringify([`field.${hostile}`, 'field.list']))}`,
  ]) {
    const text = await (await exported(query)).text();
    expect(text).toContain("x;'=cmd");
    for (const separator of [/[;\r\n]/, /[\t\r\n]/])
      expect(text.split(separator).filter((cell) => /^["\s]*[=+@-]/.test(cell))).toEqual([]);
  }
});

test('an Excel workbook has the rows and columns of the CSV, as text that needs no apostrophe', async () => {
  const form = await createForm(service, workspaceId, { name: '=1', fields: [{ key: 'phone' }] });
  const fields = { phone: '+49 30 1', '=cmd': '=1+1', n: -5, list: [1], long: 'x'.repeat(100_000) };
  const id = await seed.lead(workspaceId, { received_at, fields, form_id: form.id });
  const response = await exported('?format=xlsx');
  expect(response.headers.get('content-type')).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  );
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="leads-\d{4}-\d\d-\d\d\.xlsx"$/,
  );
  expect(response.headers.get('content-encoding')).toBeNull();
  const long = `${'x'.repeat(32_760)}… [cut]`;
  expect(rowsOf(await response.bytes())).toEqual([
    [...fixed, 'phone', '=cmd', 'list', 'long', 'n'],
    // biome-ignore format: a row
    [id, '2025-06-01T08:00:00.000Z', form.id, '=1', 'server', 'clean', 'B', '40', '0', '0', '0', '', '', '+49 30 1', '=1+1', '[1]', long, '-5'],
  ]);
  const columns = encodeURIComponent('["field.n","form","field.phone"]');
  expect(await workbook(`?format=xlsx&columns=${columns}`)).toEqual([
    ['n', 'form_name', 'phone'],
    ['-5', '=1', '+49 30 1'],
  ]);
  const body = JSON.stringify({ ids: [id], format: 'xlsx' });
  expect((await workbook('', { method: 'POST', body }))[1]?.[0]).toBe(id);
});

test('a workbook of many pages holds each lead once, newest first, and two at the same time do not mix', async () => {
  const id = await seed.lead(workspaceId, { received_at, fields: { n: 0 } });
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * interval '1 second',
       body, jsonb_build_object('n', n), score, risk, grade, verdict, reasons, ruleset
     from leads, generate_series(1, 1000) as n where submission_id = $1`,
    [id],
  );
  const other = workspaceId;
  workspaceId = await createWorkspace(service);
  await seed.lead(workspaceId, { received_at, fields: { n: 'of another workspace' } });
  const foreign = workbook('?format=xlsx');
  workspaceId = other;
  const files = await Promise.all([workbook('?format=xlsx'), workbook('?format=xlsx&order=asc'), foreign]);
  const [newest, oldest, elsewhere] = files.map((rows) => rows.slice(1).map((row) => row[13]));
  expect(newest).toEqual(Array.from({ length: 1001 }, (_, n) => String(n)));
  expect(oldest).toEqual(newest?.toReversed());
  expect(elsewhere).toEqual(['of another workspace']);
});
