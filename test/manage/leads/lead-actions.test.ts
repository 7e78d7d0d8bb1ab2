import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endLockWaiters } from '../../support/database/lock-waiters.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createWorkspace } from './seed.ts';
import {
  at,
  ended,
  enter,
  erase,
  fill,
  fillMany,
  leads,
  lockLeads,
  mark,
  other,
  pool,
  read,
  rows,
  seed,
  service,
  startActions,
  stopActions,
  undo,
  verdicts,
  waitingForLeads,
  workspaceId,
} from './some-actions.ts';

beforeAll(startActions);
beforeEach(() => enter());
afterAll(stopActions);

test('leads that are chosen by ID are marked, each with its history, and only in this workspace', async () => {
  const ids = await fill(3);
  const foreign = await seed.lead(await createWorkspace(service), {});
  const { status, json } = await mark({ ids: [...ids.slice(1), foreign, randomUUID()], mark: 'spam' });
  expect([status, json]).toEqual([202, { id: expect.any(String) }]);
  expect(await ended(json.id)).toMatchObject({
    ...{ action: 'mark', mark: 'spam', state: 'finished', total: 4, done: 4, changed: 2 },
    created_by: 'operator',
  });
  expect(await verdicts()).toEqual({
    [ids[0] ?? '']: 'clean',
    [ids[1] ?? '']: 'spam',
    [ids[2] ?? '']: 'spam',
  });
  const { json: history } = await service.api('GET', `/workspaces/${workspaceId}/leads/${ids[1]}/marks`);
  expect(history.items).toEqual([{ mark: 'spam', at: expect.any(String), by: 'operator' }]);
  const [note] = await rows(`select submission_ids, data from enrichment_outbox
    where $1 = any (workspace_ids) and type = 'lead.marked'`);
  expect(note.data).toEqual({ mark: 'spam' });
  expect(note.submission_ids.split?.(',') ?? note.submission_ids).toHaveLength(2);
  const unmarked = await pool.query('select from lead_marks where submission_id = $1', [foreign]);
  expect(unmarked.rowCount).toBe(0);
});

test('all that match a filter are marked, although the mark changes whether they match', async () => {
  await fillMany(1_200);
  const spam = await fill(3, { verdict: 'spam' });
  const filter = { verdict: 'clean' };
  const { json: counted } = await service.api('GET', `/workspaces/${workspaceId}/leads/count?verdict=clean`);
  expect(counted).toMatchObject({ count: 1_200, is_exact: true });
  const { json } = await mark({ filter, expected_count: 1_200, mark: 'spam' });
  expect(await ended(json.id)).toMatchObject({
    state: 'finished',
    total: 1_200,
    done: 1_200,
    changed: 1_200,
  });
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['spam']));
  const untouched = await pool.query('select from lead_marks where submission_id = any ($1)', [spam]);
  expect(untouched.rowCount).toBe(0);
  const released = await rows(`select from enrichment_outbox where $1 = any (workspace_ids)
    and type in ('lead.released', 'enrich')`);
  expect(released).toEqual([]);
});

test('a filter means the same as in the list: by text, fields and conditions', async () => {
  await fill(2, { fields: { country: 'DE' } });
  await fill(2, { fields: { country: 'FR' }, score: 80 });
  const where = JSON.stringify({ all: [{ field: 'score', op: 'gte', value: 50 }] });
  for (const filter of [{ where }, { 'field.country': 'FR' }, { q: 'fr' }]) {
    const query = new URLSearchParams(filter as Record<string, string>);
    const { json: counted } = await service.api('GET', `/workspaces/${workspaceId}/leads/count?${query}`);
    expect(counted).toMatchObject({ count: 2, is_exact: true });
    const { json } = await mark({ filter, expected_count: 2, mark: 'not_spam' });
    expect(await ended(json.id)).toMatchObject({ total: 2, done: 2 });
  }
  const marked = await rows('select from leads where workspace_id = $1 and scored_verdict is not null');
  expect(marked).toHaveLength(2);
});

test('of the marked leads, those with a text, a field or a condition on a field are found', async () => {
  const [, first, second, third] = await Promise.all([
    fill(1, { fields: { country: 'DE' } }),
    fill(1, { fields: { country: 'FR' } }),
    fill(1, { fields: { country: 'PT' } }),
    fill(1, { fields: { country: 'US' } }),
  ]);
  const unmarked = await fill(1, { fields: { country: 'SE' } });
  const ids = [first, second, third].flat();
  expect(await ended((await mark({ ids, mark: 'spam' })).json.id)).toMatchObject({ changed: 3 });
  const where = JSON.stringify({ all: [{ field: 'field.country', op: 'in', value: ['US', 'SE'] }] });
  for (const filter of [{ q: 'fr' }, { 'field.country': 'PT' }, { where }]) {
    const chosen = { mark: 'spam', ...filter };
    const { json } = await mark({ filter: chosen, expected_count: 1, mark: 'not_spam' });
    expect(await ended(json.id)).toMatchObject({ state: 'finished', total: 1, changed: 1 });
  }
  const marked = await rows(`select submission_id as id from leads
    where workspace_id = $1 and scored_verdict is not null and verdict = 'clean'`);
  expect(marked.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect((await verdicts())[unmarked[0] ?? '']).toBe('clean');
});

test('a selection is refused if it is none, is not safe, or has become larger', async () => {
  await fill(3);
  const refused = async (body: object) => {
    const { status, json } = await mark({ mark: 'spam', ...body });
    return [status, json.code];
  };
  expect(await refused({})).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: Array(1_001).fill(randomUUID()) })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: ["'; drop table leads; --"] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [{ $ne: 1 }] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [randomUUID()], filter: {} })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: {} })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: { unknown: '1' }, expected_count: 3 })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: { from: 'yesterday' }, expected_count: 3 })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: {}, expected_count: 2 })).toEqual([409, 'selection_changed']);
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['clean']));
  expect((await mark({ filter: {}, any_number: true, mark: 'spam' })).status).toBe(202);
});

test('the same request sent twice is one action, and an ID belongs to one action', async () => {
  const ids = await fill(2);
  const id = randomUUID();
  const twice = await Promise.all([mark({ id, ids, mark: 'spam' }), mark({ id, ids, mark: 'spam' }, other)]);
  expect(twice.map(({ json }) => json.id)).toEqual([id, id]);
  expect(await ended(id)).toMatchObject({ changed: 2 });
  expect((await mark({ id, ids, mark: 'spam' })).json).toEqual({ id });
  expect((await mark({ id, ids, mark: null })).json.code).toBe('action_conflict');
  expect((await erase({ id, ids })).json.code).toBe('action_conflict');
  expect(await leads()).toBe(2);
  expect((await service.api('GET', at())).json.items).toHaveLength(1);
  const { json: audit } = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  const texts = audit.items.map(({ text }: { text: string }) => text);
  expect(texts.filter((text: string) => text.includes('leads'))).toEqual([
    'The operator marked 2 leads as spam',
  ]);
});

test('undoing gives each lead the mark it had before, except those that someone marked since, and once', async () => {
  const [fresh = '', marked = '', later = ''] = await fill(3);
  const single = (id: string, value: string | null) =>
    service.api('PUT', `/workspaces/${workspaceId}/leads/${id}/mark`, { mark: value });
  await single(marked, 'not_spam');
  const { json } = await mark({ ids: [fresh, marked, later], mark: 'spam' });
  expect(await ended(json.id)).toMatchObject({ changed: 3, undoable_until: expect.any(String) });
  await single(later, null);
  const undone = await undo(json.id);
  expect(undone.status).toBe(202);
  expect(await ended(undone.json.id)).toMatchObject({ action: 'undo', total: 3, done: 3, changed: 2 });
  expect((await undo(json.id)).json).toEqual(undone.json);
  expect((await read(json.id)).undoable_until).toBeNull();
  const now = await Promise.all(
    [fresh, marked, later].map(async (id) => {
      const lead = await service.api('GET', `/workspaces/${workspaceId}/leads/${id}`);
      return [lead.json.verdict, lead.json.mark?.mark ?? null];
    }),
  );
  expect(now).toEqual([
    ['clean', null],
    ['clean', 'not_spam'],
    ['clean', null],
  ]);
  expect((await undo(undone.json.id)).json.code).toBe('not_undoable');
  await pool.query(`update lead_actions set finished_at = now() - interval '25 hours' where undoes is null`);
  await pool.query('delete from lead_actions where undoes is not null');
  expect((await undo(json.id)).json.code).toBe('not_undoable');
});

test('erasing many deletes everything that erasing one deletes, and leaves others', async () => {
  const ids = await fill(3);
  await seed.enrichment(workspaceId, ids[0] ?? '', {});
  await service.api('PUT', `/workspaces/${workspaceId}/leads/${ids[0]}/mark`, { mark: 'spam' });
  const { json } = await erase({ ids: ids.slice(0, 2) });
  expect(await ended(json.id)).toMatchObject({
    action: 'erasure',
    done: 2,
    changed: 2,
    undoable_until: null,
  });
  expect(Object.keys(await verdicts())).toEqual(ids.slice(2));
  const left = await rows(`select (select count(*)::int from lead_marks where workspace_id = $1) as marks,
    (select count(*)::int from lead_enrichments where workspace_id = $1) as enrichments,
    (select count(*)::int from lead_erasures where workspace_id = $1 and body_hash is not null) as erasures,
    (select count(*)::int from enrichment_outbox where $1 = any (workspace_ids) and type = 'lead.erased') as notes,
    (select count(*)::int from lead_actions where workspace_id = $1 and selection is not null) as selections`);
  expect(left).toEqual([{ marks: 0, enrichments: 0, erasures: 2, notes: 2, selections: 0 }]);
  expect((await undo(json.id)).json.code).toBe('not_undoable');
});

test('an instance that is killed in the middle is followed by another, and nothing is done twice', async () => {
  await fillMany(1_300);
  const unlock = await lockLeads('oldest');
  const { json } = await mark({ filter: {}, expected_count: 1_300, mark: 'spam' });
  // The transaction of the last step dies, as with its instance.
  await eventually(
    () => endLockWaiters(service.databaseUrl, waitingForLeads),
    (count) => count > 0,
  );
  expect(await read(json.id)).toMatchObject({ state: 'running', done: 1_000, changed: 1_000 });
  await unlock();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', done: 1_300, changed: 1_300 });
  const [marks] = await rows(
    'select count(*)::int as count, max(number) as most from lead_marks where workspace_id = $1',
  );
  expect(marks).toEqual({ count: 1_300, most: 1 });
});

test('erasing and marking the same leads at a time leaves no lead and no mark', async () => {
  await fillMany(700);
  const everything = { filter: {}, any_number: true };
  const [marking, erasure] = await Promise.all([mark({ ...everything, mark: 'spam' }), erase(everything)]);
  await ended(marking.json.id);
  expect(await ended(erasure.json.id)).toMatchObject({ state: 'finished' });
  expect(await leads()).toBe(0);
  expect(await rows('select from lead_marks where workspace_id = $1')).toEqual([]);
});
