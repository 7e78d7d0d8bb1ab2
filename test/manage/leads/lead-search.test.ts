import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HurriedClock } from '../../support/clocks.ts';
import { allItems, startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

const clock = new HurriedClock();
const dayMs = 86_400_000;
let service: TestService;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

interface Page {
  readonly items: { readonly fields: { readonly n: number } }[];
  readonly next_cursor: string | null;
  readonly searched_to: string | null;
}

/** All pages of a list, each asked for in a hurry. */
async function pages(query: string): Promise<Page[]> {
  const answers: Page[] = [];
  clock.isHurried = true;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/workspaces/${workspaceId}/leads?${query}${cursor && `&cursor=${cursor}`}`;
    const { status, json, text } = await service.api('GET', path);
    expect(status, text).toBe(200);
    answers.push(json);
    cursor = json.next_cursor;
  }
  clock.isHurried = false;
  return answers;
}

const numbersIn = (answers: readonly Page[]) =>
  answers.flatMap(({ items }) => items.map(({ fields }) => fields.n));

/** The numbers from 1 to `count` as leads, each a second older than the one before. */
async function manyLeads(count: number): Promise<void> {
  const id = await seed.lead(workspaceId, { received_at: daysAgo(1), fields: { n: 0 } });
  await seed.query(
    `insert into leads
     select shard, workspace_id, gen_random_uuid(), form_id, token_id, surface, received_at - n * interval '1 second',
       body, jsonb_build_object('n', n, 'text', 'Number ' || n || ' of them'), score, risk, grade, verdict, reasons, ruleset
     from leads, generate_series(1, $2::int) as n where submission_id = $1`,
    [id, count],
  );
}

test('a search that runs out of time says how far it got, and continues to find each lead once', async () => {
  const form_id = (await createForm(service, workspaceId)).id;
  for (const [n, days] of [0, 1, 30, 31, 200].entries()) {
    await seed.lead(workspaceId, { form_id, received_at: daysAgo(days), fields: { n } });
  }
  const answers = await pages(`form_id=${form_id}`);
  expect(numbersIn(answers)).toEqual([0, 1, 2, 3, 4]);
  const stops = answers.map(({ searched_to }) => searched_to);
  expect(answers.some(({ items }) => items.length === 0)).toBe(true);
  expect(stops.at(-1)).toBeNull();
  expect(stops.slice(0, -1)).toEqual(stops.slice(0, -1).toSorted().toReversed());
  expect(new Set(stops).size).toBe(stops.length);
});

test('a text search reads a bounded number of leads at a time, and finds the oldest in the end', async () => {
  await manyLeads(5_000);
  const answers = await pages('q=number+5000+OF');
  expect(numbersIn(answers)).toEqual([5_000]);
  expect(answers.length).toBeGreaterThan(1);
  expect(answers[0]).toMatchObject({ items: [], searched_to: expect.any(String) });
});

test.each(['desc', 'asc'])(
  'a search by verdict never shows a time at which there are no leads (%s)',
  async (order) => {
    await manyLeads(3_100);
    const answers = await pages(`q=number+3100&sort=verdict&order=${order}`);
    const stops = answers.flatMap(({ searched_to }) => searched_to ?? []);
    expect(stops.length).toBeGreaterThan(1);
    for (const time of stops) {
      expect(Date.parse(time)).toBeGreaterThan(Date.parse(daysAgo(2)));
      expect(Date.parse(time)).toBeLessThan(Date.parse(daysAgo(-1)));
    }
    expect(numbersIn(answers)).toEqual([3_100]);
  },
);

test('a page that is full is not cut short, whatever the time', async () => {
  await manyLeads(300);
  const answers = await pages('q=number&limit=100');
  expect(answers.slice(0, 3).map(({ items }) => items.length)).toEqual([100, 100, 100]);
  expect(numbersIn(answers)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  expect(answers.every(({ searched_to }) => searched_to === null)).toBe(true);
});

test('a search with enough time covers the whole list in one call', async () => {
  const form_id = (await createForm(service, workspaceId)).id;
  await seed.lead(workspaceId, { form_id, received_at: daysAgo(2_000), fields: { n: 1 } });
  await seed.lead(workspaceId, { received_at: daysAgo(0), fields: { n: 2 } });
  clock.isHurried = false;
  let found = await pageOf(`form_id=${form_id}`);
  // A busy machine may need a second look; a still one does not.
  while (found.next_cursor !== null) found = await pageOf(`form_id=${form_id}&cursor=${found.next_cursor}`);
  expect(numbersIn([found])).toEqual([1]);
});

async function pageOf(query: string): Promise<Page> {
  return (await service.api('GET', `/workspaces/${workspaceId}/leads?${query}`)).json;
}

test.each([
  ['"', { n: 1, text: 'say "yes"' }],
  ['back\\slash', { n: 1, text: 'a back\\slash' }],
  ['line\nbreak', { n: 1, text: 'a line\nbreak' }],
  ['"who": "ada', { n: 1, about: { who: 'Ada' } }],
  ['"who": "a\\"b', { n: 1, about: { who: 'a"b' } }],
  ['ÄRGER', { n: 1, text: 'großer ärger' }],
  ['17.5', { n: 1, price: 17.5 }],
  ['true', { n: 1, consent: true }],
])('a search finds %j', async (text, fields) => {
  await seed.lead(workspaceId, { fields });
  await seed.lead(workspaceId, { fields: { n: 2 } });
  const found = await allItems(service, `/workspaces/${workspaceId}/leads?q=${encodeURIComponent(text)}`);
  expect(found.map((lead) => lead.fields.n)).toEqual([1]);
});

test('an export has everything that a search finds, with a column per key', async () => {
  await manyLeads(5_000);
  clock.isHurried = true;
  const { text } = await service.api('GET', `/workspaces/${workspaceId}/leads/export?q=number+5000`);
  clock.isHurried = false;
  const rows = text.trim().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/,"merits","n","text"$/);
});

test('a large export gathers keys that its newest leads do not have, so that nothing is lost', async () => {
  await manyLeads(600);
  await seed.lead(workspaceId, { received_at: daysAgo(9), fields: { n: 601, only_here: 'kept' } });
  const { text } = await service.api('GET', `/workspaces/${workspaceId}/leads/export`);
  const rows = text.trim().split('\r\n');
  expect(rows[0]).toMatch(/,"n","text","other_fields"$/);
  expect(rows.at(-1)).toMatch(/,601,,"\{""only_here"": ""kept""\}"$/);
  expect(rows).toHaveLength(603);
});
