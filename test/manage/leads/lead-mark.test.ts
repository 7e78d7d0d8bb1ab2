import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/diagnostics.ts';
import { allItems, startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  // Without a worker, the notes for enrichment stay where they can be counted.
  service = await startTestService({ env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const spam = { verdict: 'spam', risk: 90, score: 0, grade: 'E' };

function mark(id: string, wanted: unknown) {
  return service.api('PUT', `/workspaces/${workspaceId}/leads/${id}/mark`, { mark: wanted });
}

async function read(id: string) {
  return (await service.api('GET', `/workspaces/${workspaceId}/leads/${id}`)).json;
}

async function found(query: string): Promise<string[]> {
  const leads = await allItems(service, `/workspaces/${workspaceId}/leads?${query}`);
  return leads.map(({ submission_id }) => submission_id);
}

async function notesOf(id: string): Promise<string[]> {
  const rows = await seed.query('select type from enrichment_outbox where $1 = any (submission_ids)', [id]);
  return rows.map(({ type }) => type);
}

/** How often it is queued for enrichment. */
async function notes(id: string): Promise<number> {
  return (await notesOf(id)).filter((type) => type === 'lead.released' || type === 'enrich').length;
}

/** The marks kept, the first one first. */
async function history(id: string): Promise<(string | null)[]> {
  const rows = await seed.query('select mark from lead_marks where submission_id = $1 order by number', [id]);
  return rows.map((row) => row.mark);
}

test('an unmarked lead has the verdict of the scorer', async () => {
  const id = await seed.lead(workspaceId, spam);
  expect(await read(id)).toMatchObject({ verdict: 'spam', scored_verdict: 'spam', mark: null });
});

test('a mark changes the verdict, and the verdict of the scorer stays visible', async () => {
  const id = await seed.lead(workspaceId, spam);
  const { status, json } = await mark(id, 'not_spam');
  expect(status).toBe(200);
  expect(json).toMatchObject({ ...spam, verdict: 'clean', scored_verdict: 'spam' });
  expect(json.mark).toEqual({ mark: 'not_spam', at: expect.stringMatching(/Z$/), by: 'operator' });
  expect(await read(id)).toEqual(json);
  const other = await mark(id, 'spam');
  expect(other.json).toMatchObject({ verdict: 'spam', scored_verdict: 'spam', mark: { mark: 'spam' } });
});

test('lists, filters and exports follow the mark', async () => {
  const released = await seed.lead(workspaceId, { ...spam, received_at: '2025-06-01T08:00:02Z' });
  const confirmed = await seed.lead(workspaceId, { ...spam, received_at: '2025-06-01T08:00:01Z' });
  const untouched = await seed.lead(workspaceId, { ...spam, received_at: '2025-06-01T08:00:00Z' });
  await mark(released, 'not_spam');
  await mark(confirmed, 'spam');
  expect(await found('verdict=clean')).toEqual([released]);
  expect(await found('verdict=spam')).toEqual([confirmed, untouched]);
  expect(await found('mark=not_spam')).toEqual([released]);
  expect(await found('mark=spam')).toEqual([confirmed]);
  expect(await found('mark=none')).toEqual([untouched]);
  expect(await found('mark=spam&verdict=clean')).toEqual([]);
  const exported = async (query: string) =>
    (await service.api('GET', `/workspaces/${workspaceId}/leads/export?${query}`)).text;
  expect(await exported('verdict=clean')).toContain(`"${released}",`);
  expect(await exported('verdict=spam')).not.toContain(released);
  expect(JSON.parse(await exported('format=ndjson&mark=not_spam'))).toMatchObject({ verdict: 'clean' });
});

test('removing a mark restores the verdict of the scorer, and all marks are kept', async () => {
  const id = await seed.lead(workspaceId, { verdict: 'suspect' });
  await mark(id, 'spam');
  await mark(id, 'not_spam');
  const { json } = await mark(id, null);
  expect(json).toMatchObject({ verdict: 'suspect', scored_verdict: 'suspect', mark: null });
  expect(await found('mark=none')).toEqual([id]);
  expect(await found('mark=not_spam')).toEqual([]);
  expect(await history(id)).toEqual(['spam', 'not_spam', null]);
  const confirmed = await seed.lead(workspaceId, spam);
  await mark(confirmed, 'spam');
  await mark(confirmed, null);
  expect(await found('mark=spam')).toEqual([]);
});

test('the marks of a lead can be read, newest first and in pages', async () => {
  const id = await seed.lead(workspaceId, spam);
  for (const each of ['not_spam', null, 'spam']) await mark(id, each);
  const marks = (query: string) => service.api('GET', `/workspaces/${workspaceId}/leads/${id}/marks${query}`);
  const first = (await marks('?limit=2')).json;
  const second = (await marks(`?limit=2&cursor=${first.next_cursor}`)).json;
  const seen = [...first.items, ...second.items];
  expect(seen.map((each) => each.mark)).toEqual(['spam', null, 'not_spam']);
  expect(seen[0]).toEqual((await read(id)).mark);
  expect(second.next_cursor).toBeNull();
});

test('the same mark again changes nothing', async () => {
  const id = await seed.lead(workspaceId, spam);
  const first = await mark(id, 'not_spam');
  expect((await mark(id, 'not_spam')).json).toEqual(first.json);
  expect(await history(id)).toEqual(['not_spam']);
  await mark(id, null);
  await mark(id, null);
  expect(await history(id)).toEqual(['not_spam', null]);
});

test('a lead that is marked clean is queued for enrichment once', async () => {
  const id = await seed.lead(workspaceId, spam);
  await mark(id, 'not_spam');
  await mark(id, 'not_spam');
  expect(await notes(id)).toBe(1);
});

test('each mark that changes something is noted, and so is that the lead became clean', async () => {
  const id = await seed.lead(workspaceId, spam);
  await mark(id, 'not_spam');
  await mark(id, 'not_spam');
  await mark(id, 'spam');
  expect((await notesOf(id)).toSorted()).toEqual(['lead.marked', 'lead.marked', 'lead.released']);
});

test('a lead that does not become clean is not queued for enrichment', async () => {
  const suspect = await seed.lead(workspaceId, { verdict: 'suspect' });
  await mark(suspect, 'spam');
  await mark(suspect, null);
  const clean = await seed.lead(workspaceId, {});
  await mark(clean, 'not_spam');
  expect([await notes(suspect), await notes(clean)]).toEqual([0, 0]);
});

test('a clean lead whose mark is removed is queued again, because lookups may have been skipped for it', async () => {
  const waiting = await seed.lead(workspaceId, {});
  const enriched = await seed.lead(workspaceId, {});
  const confirmed = await seed.lead(workspaceId, {});
  await seed.enrichment(workspaceId, enriched, {});
  for (const id of [waiting, enriched]) await mark(id, 'spam');
  await mark(confirmed, 'not_spam');
  for (const id of [waiting, enriched, confirmed]) await mark(id, null);
  expect([await notes(waiting), await notes(enriched), await notes(confirmed)]).toEqual([1, 1, 1]);
});

test('parallel marks leave one history, and its last mark counts', async () => {
  const id = await seed.lead(workspaceId, spam);
  const wanted = Array.from({ length: 12 }, (_, n) => ['spam', 'not_spam', null][n % 3]);
  const answers = await Promise.all(wanted.map((each) => mark(id, each)));
  expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
  const kept = await history(id);
  // A mark is kept only when it changes something.
  expect(kept.every((each, n) => each !== (n === 0 ? null : kept[n - 1]))).toBe(true);
  const { mark: current, verdict, scored_verdict } = await read(id);
  expect(current?.mark ?? null).toBe(kept.at(-1));
  expect([verdict, scored_verdict]).toEqual([kept.at(-1) === 'not_spam' ? 'clean' : 'spam', 'spam']);
});

test('an erased lead leaves no marks, even if it is marked at the same time', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await seed.lead(workspaceId, spam);
    await mark(id, 'spam');
    const [erased, ...marked] = await Promise.all([
      service.api('DELETE', `/workspaces/${workspaceId}/leads/${id}`),
      mark(id, 'not_spam'),
      mark(id, null),
    ]);
    expect(erased.status).toBe(204);
    for (const { status } of marked) expect([200, 404]).toContain(status);
    expect(await history(id)).toEqual([]);
    expect((await mark(id, 'spam')).status).toBe(404);
  }
});

test.each([
  [{}, 'mark', /use one of spam, not_spam|is required/],
  [{ mark: 'ham' }, 'mark', 'use one of spam, not_spam'],
  [{ mark: true }, 'mark', 'use one of spam, not_spam'],
  [{ mark: 'spam', by: 'me' }, 'by', 'unknown field; known fields: mark'],
])('the mark %j is refused, and the response names the error', async (body, field, message) => {
  const id = await seed.lead(workspaceId, spam);
  const { status, json } = await service.api('PUT', `/workspaces/${workspaceId}/leads/${id}/mark`, body);
  expect(status).toBe(422);
  expect(json.errors).toEqual([
    { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  ]);
  expect(await history(id)).toEqual([]);
});

test('a lead that is marked clean is enriched', async () => {
  const worker = await startTestService({ databaseUrl: service.databaseUrl });
  const id = await seed.lead(workspaceId, { ...spam, fields: { email: 'ada@gmail.com' } });
  await mark(id, 'not_spam');
  const enriched = await eventually(
    () => read(id),
    ({ enrichment }) => enrichment !== null,
  );
  await worker.stop();
  expect(enriched.enrichment).toMatchObject({ email: { domain: 'gmail.com' } });
});
