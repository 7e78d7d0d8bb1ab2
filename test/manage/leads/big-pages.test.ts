import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listedLeads } from '../../../src/db/leads/lead-rows.ts';
import { findLeads } from '../../../src/db/leads/leads.ts';
import { openTestPool } from '../../support/database/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

const pageBytesMax = 1_048_576;
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

interface Page {
  readonly items: { readonly submission_id: string; readonly fields: Record<string, unknown> }[];
  readonly next_cursor: string | null;
}

/** All pages of a list. Each is checked for its size: without its last item it is below the limit. */
async function pagesOf(path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const address = `${path}${path.includes('?') ? '&' : '?'}${cursor && `cursor=${cursor}`}`;
    const { status, json, text } = await service.api('GET', address);
    expect(status, text).toBe(200);
    const last = JSON.stringify(json.items.at(-1) ?? null);
    // Fields come with blanks as PostgreSQL writes them, so the last item can be half as long again.
    expect(Buffer.byteLength(text)).toBeLessThan(pageBytesMax + Buffer.byteLength(last) * 1.5 + 1_000);
    pages.push(json);
    cursor = json.next_cursor;
  }
  return pages;
}

const idsIn = (pages: readonly Page[]) =>
  pages.flatMap(({ items }) => items.map((item) => item.submission_id));

const leadTime = (second: number) => new Date(Date.UTC(2025, 5, 1) - second * 1000).toISOString();

/** Leads whose text is so many bytes long, the first one the newest; several share a time. */
async function leadsOf(sizes: readonly number[], values: Record<string, unknown> = {}): Promise<string[]> {
  const made: { id: string; at: string }[] = [];
  for (const [place, size] of sizes.entries()) {
    const at = leadTime(Math.floor(place / 3));
    const fields = { kind: place % 2 === 0 ? 'even' : 'odd', text: 'x'.repeat(size) };
    made.push({ id: await seed.lead(workspaceId, { received_at: at, fields, ...values }), at });
  }
  const order = (a: { id: string; at: string }, b: { id: string; at: string }) =>
    b.at.localeCompare(a.at) || (a.id < b.id ? 1 : -1);
  return made.toSorted(order).map(({ id }) => id);
}

test('a page of large leads ends at 1 MiB, and its cursor continues with the next lead', async () => {
  const ids = await leadsOf(new Array(40).fill(120_000));
  const pages = await pagesOf(`/workspaces/${workspaceId}/leads?limit=200`);
  expect(idsIn(pages)).toEqual(ids);
  expect(pages.map(({ items }) => items.length)).toEqual([9, 9, 9, 9, 4]);
});

test('small leads fill a page to its limit', async () => {
  await leadsOf(new Array(120).fill(100));
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/leads?limit=100`);
  expect(json.items).toHaveLength(100);
});

test('pages hold each lead once and in order, whatever their sizes, the limit and the filter', async () => {
  const size = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0, 1) },
    { weight: 3, arbitrary: fc.integer({ min: 60_000, max: 131_000 }) },
  );
  const shapes = fc.record({
    sizes: fc.array(size, { minLength: 18, maxLength: 30 }),
    limit: fc.constantFrom(1, 9, 50, 100, 200),
    filter: fc.constantFrom('', '&verdict=clean', '&q=even', '&field.kind=odd', '&mark=none'),
  });
  await fc.assert(
    fc.asyncProperty(shapes, async ({ sizes, limit, filter }) => {
      workspaceId = await createWorkspace(service);
      const ids = await leadsOf(sizes);
      const pages = await pagesOf(`/workspaces/${workspaceId}/leads?limit=${limit}${filter}`);
      const found = idsIn(pages);
      const expected =
        filter === '&q=even' || filter === '&field.kind=odd' ? ids.filter((id) => found.includes(id)) : ids;
      expect(found).toEqual(expected);
      const kinds = pages.flatMap(({ items }) => items.map(({ fields }) => fields.kind));
      if (filter === '&q=even') expect(kinds).toEqual(new Array(Math.ceil(sizes.length / 2)).fill('even'));
      if (filter === '&field.kind=odd')
        expect(kinds).toEqual(new Array(Math.floor(sizes.length / 2)).fill('odd'));
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('bodies that are mostly white space do not make pages short', async () => {
  const body = Buffer.from(`{"kind":"even",${' '.repeat(130_000)}"text":""}`);
  const ids = await leadsOf(new Array(30).fill(0), { body });
  const pages = await pagesOf(`/workspaces/${workspaceId}/leads?limit=200`);
  expect(pages.map(({ items }) => items.length)).toEqual([30]);
  expect(idsIn(pages)).toEqual(ids);
});

test('the database does not send what is not in the response', async () => {
  await leadsOf(new Array(40).fill(120_000));
  const pool = openTestPool(service.databaseUrl);
  const stretch = { after: null, limit: 201, readMax: 201, bytesMax: pageBytesMax };
  const { leads, isCut } = await findLeads(
    pool,
    workspaceId,
    { fieldValues: new Map() },
    stretch,
    listedLeads,
  );
  await pool.end();
  expect(isCut).toBe(true);
  expect(leads).toHaveLength(9);
});

test.each([
  ['many keys', Object.fromEntries(Array.from({ length: 12_000 }, (_, i) => [`k${i}`, i % 10]))],
  ['many small objects', { list: Array.from({ length: 30_000 }, () => ({})) }],
  ['many numbers', { list: new Array(60_000).fill(1) }],
  ['numbers that PostgreSQL writes out', { list: new Array(2_000).fill(1e-300) }],
  ['escapes and characters of four bytes', { list: new Array(9_000).fill('"\\\n😀') }],
  ['one long text in two-byte characters', { text: '漢'.repeat(43_000) }],
  [
    'keys like any other',
    { ['__proto__']: 1, constructor: null, '': '', 'a"b\\c': { 'd"': ['}', ']', '{'] } },
  ],
])('a lead of %s is shown as it was sent, in the list, alone and exported', async (_, fields) => {
  const received_at = '2025-06-01T08:00:00Z';
  const id = await seed.lead(workspaceId, { fields, received_at });
  const at = `/workspaces/${workspaceId}/leads`;
  const shown = (await service.api('GET', `${at}/${id}`)).json.fields;
  expect(shown).toEqual(fields);
  expect((await service.api('GET', at)).json.items[0].fields).toEqual(fields);
  const { text } = await service.api('GET', `${at}/export?format=ndjson`);
  expect(JSON.parse(text).fields).toEqual(fields);
  const csv = await service.api('GET', `${at}/export?format=csv`);
  expect(csv.status).toBe(200);
  expect(csv.text.startsWith('"submission_id",')).toBe(true);
  expect(csv.text).toContain(`\r\n"${id}","2025-06-01T08:00:00.000Z",`);
});

test('a page of large forms ends at 1 MiB too, and so do versions of scoring settings', async () => {
  const fields = Array.from({ length: 200 }, (_, place) => ({
    key: `${place} ${'k'.repeat(190)}`,
    label: '漢'.repeat(200),
  }));
  const forms: string[] = [];
  for (let n = 0; n < 12; n++)
    forms.push((await createForm(service, workspaceId, { name: `Form ${n}`, fields })).id);
  const pages = await pagesOf(`/workspaces/${workspaceId}/forms?limit=200`);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ items }) => items.map((item) => (item as unknown as { id: string }).id))).toEqual(
    forms.toReversed(),
  );
  const path = `/workspaces/${workspaceId}/forms/${forms[0]}/scoring`;
  const label = (letter: string) => letter.repeat(60);
  const domains = (n: number) =>
    Array.from(
      { length: 1_000 },
      (_, place) => `v${n}-${place}.${label('a')}.${label('b')}.${label('c')}.com`,
    );
  for (let n = 0; n < 4; n++) {
    const settings = { allow: { domains: domains(n) }, block: { domains: domains(n + 10) } };
    expect((await service.api('PUT', path, { settings })).status).toBe(200);
  }
  const versions = await pagesOf(`${path}/versions`);
  expect(versions.map(({ items }) => items.length)).toEqual([3, 1]);
  expect(
    versions.flatMap(({ items }) => items.map((item) => (item as unknown as { version: number }).version)),
  ).toEqual([4, 3, 2, 1]);
});
