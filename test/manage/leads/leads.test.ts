import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSender, post, submissionIdOf } from '../../support/sender.ts';
import { allItems, startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from './seed.ts';

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

function get(path: string) {
  return service.api('GET', `/workspaces/${workspaceId}/leads${path}`);
}

/** The `n` fields of the leads found. */
async function found(query: string): Promise<unknown[]> {
  const leads = await allItems(service, `/workspaces/${workspaceId}/leads${query}`);
  return leads.map(({ fields }) => fields.n);
}

test.each([
  [
    'the scorer',
    { reasons: JSON.stringify([{ code: 'EMAIL_TYPO', points: 10, field: 'mail', evidence: 'gmail.com' }]) },
    {},
  ],
  ['enrichment', {}, { email: { suggestion: 'Ada@gmail.com' } }],
])('a lead says which address was probably meant when only %s knows', async (_, scored, enrichment) => {
  const id = await seed.lead(workspaceId, { fields: { mail: 'Ada@gmial.com' }, ...scored });
  await seed.enrichment(workspaceId, id, enrichment);
  expect((await get(`/${id}`)).json.email_suggestion).toBe('Ada@gmail.com');
  expect((await get('')).json.items[0].email_suggestion).toBe('Ada@gmail.com');
});

test('a lead shows its source, fields, score and reasons', async () => {
  const form_id = '11111111-1111-4111-8111-111111111111';
  const kept = [
    { code: 'EMAIL_DISPOSABLE', points: 40, field: 'email', evidence: 'mailinator.com' },
    { code: 'FIT_COMPANY', points: 15 },
    { code: 'NO_LONGER_KNOWN', points: -10, text: 'From before.' },
  ];
  const fields = {
    email: 'ada@example.com',
    nested: { deep: [1, 'two', null] },
    ['__proto__']: 'a key like any other',
  };
  const scored = { score: 12, grade: 'E', risk: 30, verdict: 'suspect', reasons: JSON.stringify(kept) };
  const id = await seed.lead(workspaceId, { form_id, fields, ...scored, surface: 'webhook' });
  const list = await get('?view=full');
  expect(list.json.items).toEqual([
    {
      submission_id: id,
      form_id,
      surface: 'webhook',
      received_at: '2026-11-15T08:00:00.000Z',
      fields,
      ...scored,
      scored_verdict: 'suspect',
      mark: null,
      reasons: [
        {
          ...kept[0],
          family: 'email',
          axis: 'risk',
          text: 'Email domain listed as disposable: mailinator.com',
        },
        kept[2],
      ],
      fit: 15,
      intent: 0,
      merits: [{ ...kept[1], family: 'fit', axis: 'score', text: 'Company given' }],
      ruleset: 'test',
      second_look: null,
      email_suggestion: null,
      enrichment: null,
    },
  ]);
  expect((await get(`/${id}`)).json).toEqual(list.json.items[0]);
});

test('an enriched lead shows what was found, and when', async () => {
  const id = await seed.lead(workspaceId, {});
  await seed.enrichment(workspaceId, id, { company: { domain: 'example.com' } });
  const { json } = await get(`/${id}`);
  expect(json.enrichment).toEqual({
    schema: 1,
    status: 'complete',
    company: { domain: 'example.com' },
    provenance: {},
    providers: [],
    enriched_at: '2026-11-15T08:01:00.000Z',
  });
});

test('a list has every member of a lead, but only code and points of reasons and only the status of the enrichment', async () => {
  const kept = [
    { code: 'EMAIL_DISPOSABLE', points: 40, field: 'email', evidence: 'mailinator.com' },
    { code: 'FIT_COMPANY', points: 15, field: 'company', evidence: 'Analytical Engines' },
    { code: 'NO_LONGER_KNOWN', points: -10, text: 'From before.' },
  ];
  const fields = { email: 'ada@mailinator.com', company: 'Analytical Engines' };
  const id = await seed.lead(workspaceId, { fields, reasons: JSON.stringify(kept) });
  const enrichment = {
    status: 'partial',
    email: { deliverability: 'unknown' },
    company: { name: 'Engines' },
  };
  await seed.enrichment(workspaceId, id, enrichment);
  const whole = (await get(`/${id}`)).json;
  for (const query of ['', '?view=list']) {
    const [listed] = (await get(query)).json.items;
    expect(listed).toEqual({
      ...whole,
      reasons: [
        { code: 'EMAIL_DISPOSABLE', points: 40 },
        { code: 'NO_LONGER_KNOWN', points: -10 },
      ],
      merits: [{ code: 'FIT_COMPANY', points: 15 }],
      enrichment: { status: 'partial' },
    });
    expect(Object.keys(listed)).toEqual(Object.keys(whole));
  }
  expect((await get('?view=full')).json.items).toEqual([whole]);
  expect((await get('?view=short')).status).toBe(422);
});

test('a lead is listed as soon as it is accepted', async () => {
  const sender = await createSender(service);
  const answer = await post(service, sender, 'server', '{"email":"ada@example.com"}');
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads`);
  expect(json.items).toMatchObject([{ submission_id: submissionIdOf(answer), form_id: sender.formId }]);
});

test('pages have each lead once, newest first, even if many arrived in one millisecond', async () => {
  const times = ['08:00:03', '08:00:02', '08:00:02', '08:00:02', '08:00:01'];
  for (const [n, time] of times.entries()) {
    await seed.lead(workspaceId, { received_at: `2026-11-15T${time}Z`, fields: { n } });
  }
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { json } = await get(`?limit=2${cursor}`);
    seen.push(...json.items.map(({ fields }: { fields: { n: number } }) => fields.n));
    cursor = json.next_cursor === null ? null : `&cursor=${json.next_cursor}`;
  }
  expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect([seen[0], seen[4]]).toEqual([0, 4]);
});

test('filters keep the leads that match all of them', async () => {
  const form_id = '22222222-2222-4222-8222-222222222222';
  await seed.lead(workspaceId, { fields: { n: 1 }, form_id, verdict: 'spam', surface: 'webhook' });
  await seed.lead(workspaceId, { fields: { n: 2 }, form_id, received_at: '2026-11-15T07:00:00Z' });
  await seed.lead(workspaceId, { fields: { n: 3 }, verdict: 'spam', received_at: '2026-11-15T06:00:00Z' });
  expect(await found(`?form_id=${form_id}`)).toEqual([1, 2]);
  expect(await found('?verdict=spam')).toEqual([1, 3]);
  expect(await found('?surface=webhook')).toEqual([1]);
  expect(await found(`?verdict=spam&surface=server&form_id=${form_id}`)).toEqual([]);
  expect(await found('?from=2026-11-15T07:00:00Z')).toEqual([1, 2]);
  expect(await found('?to=2026-11-15T07:00:00Z')).toEqual([3]);
  expect(await found('?from=2026-11-15T08:00:00%2B01:00&to=2026-11-15T08:00:00Z')).toEqual([2]);
});

test('a plus that was lost in a URL is named; other errors in a time are not blamed on it', async () => {
  const messageFor = async (from: string) => {
    const { json } = await service.api('GET', `/workspaces/${workspaceId}/leads?from=${from}`);
    return json.errors[0].message;
  };
  expect(await messageFor('2026-11-15T08:00:00+01:00')).toContain('%2B');
  expect(await messageFor('yesterday')).not.toContain('%2B');
});

test('a search finds text inside any value, ignoring case', async () => {
  await seed.lead(workspaceId, { fields: { n: 1, name: 'Ada LOVELACE' } });
  await seed.lead(workspaceId, {
    fields: { n: 2, about: { who: 'lovelace, nested' } },
    received_at: '2026-11-15T07:00:00Z',
  });
  await seed.lead(workspaceId, {
    fields: { n: 3, lovelace: 'only a key' },
    received_at: '2026-11-15T06:00:00Z',
  });
  expect(await found('?q=Lovelace')).toEqual([1, 2]);
});

test.each([
  ['100%', [1]],
  ['a_b', [2]],
  ['c\\d', [3]],
])('a search for %s takes its characters literally', async (text, expected) => {
  await seed.lead(workspaceId, { fields: { n: 1, discount: '100%' } });
  await seed.lead(workspaceId, { fields: { n: 2, code: 'a_b' } });
  await seed.lead(workspaceId, { fields: { n: 3, path: 'c\\d' } });
  await seed.lead(workspaceId, { fields: { n: 4, discount: '100 or', code: 'axb', path: 'cd' } });
  expect(await found(`?q=${encodeURIComponent(text)}`)).toEqual(expected);
});

test('a filter on a field compares the whole top-level value as text', async () => {
  await seed.lead(workspaceId, { fields: { n: 1, plan: 'pro', seats: 5, 'a.b': true, '': 'empty' } });
  await seed.lead(workspaceId, {
    fields: { n: 2, plan: 'professional', seats: '5', nested: { plan: 'pro' } },
  });
  expect(await found('?field.plan=pro')).toEqual([1]);
  expect((await found('?field.seats=5')).toSorted()).toEqual([1, 2]);
  expect(await found('?field.seats=5&field.plan=professional')).toEqual([2]);
  expect(await found('?field.a.b=true')).toEqual([1]);
  expect(await found('?field.=empty')).toEqual([1]);
  expect(await found("?field.plan=pro'%20or%20'1'='1")).toEqual([]);
});

test.each([
  ['verdict=fine', 'verdict', 'use one of clean, suspect, spam'],
  ['surface=1a', 'surface', 'use one of server, webhook, browser'],
  ['form_id=contact', 'form_id', 'use a UUID'],
  ['from=yesterday', 'from', /RFC 3339/],
  ['q=', 'q', 'must not be empty'],
  ['q=%00', 'q', 'contains characters that cannot be stored'],
  ['field.a=%00', 'field.a', 'contains characters that cannot be stored'],
  ['email=ada', 'email', /^unknown filter; known filters: form_id, .*field\.<key>$/],
  ['constructor=x', 'constructor', /^unknown filter/],
  ['limit=1000', 'limit', 'must be at most 200'],
])('the filter %s is refused, and the response names the error', async (query, field, message) => {
  const { status, json } = await get(`?${query}`);
  expect(status).toBe(422);
  expect(json.errors).toEqual([
    { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  ]);
});

test('the body of a lead is returned byte for byte, as a file to save', async () => {
  const sender = await createSender(service);
  const sent = Buffer.from(
    '\ufeff{ "b":1.0, "a":"\\u0000", "a" : "\\ud800",\n"html":"<script>alert(1)</script>" }',
  );
  const id = submissionIdOf(await post(service, sender, 'server', sent));
  const address = `${service.url}/api/v1/workspaces/${sender.workspaceId}/leads/${id}/body`;
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${service.operatorKey}` } });
  expect(Buffer.from(await answer.arrayBuffer()).equals(sent)).toBe(true);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.json"`);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('an erased lead is gone with its body and enrichment, but its idempotency key stays used', async () => {
  const id = await seed.lead(workspaceId, {});
  await seed.enrichment(workspaceId, id, {});
  await seed.idempotencyKey(workspaceId, id);
  expect((await service.api('DELETE', `/workspaces/${workspaceId}/leads/${id}`)).status).toBe(204);
  expect((await get(`/${id}`)).status).toBe(404);
  expect((await get(`/${id}/body`)).status).toBe(404);
  expect((await service.api('DELETE', `/workspaces/${workspaceId}/leads/${id}`)).status).toBe(404);
  const rowsOf = (table: string) => seed.query(`select from ${table} where submission_id = $1`, [id]);
  expect(await rowsOf('lead_enrichments')).toHaveLength(0);
  expect(await rowsOf('idempotency_keys')).toHaveLength(1);
});
