import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dryRunRequest } from '../../src/contract/scoring.ts';
import { dryRunScoring } from '../../src/manage/scoring/dry-run.ts';
import { rescoringThread } from '../../src/manage/scoring/rescoring-thread.ts';
import { openTestPool } from '../support/database/database.ts';
import { managementDeps } from '../support/management.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createForm, createWorkspace, Seed } from './leads/seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let formId: string;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const throwAway = { email: 'someone@mailinator.com' };
/** Under these, a throw-away address alone is spam. */
const strict = { weights: { EMAIL_DISPOSABLE: 40 }, thresholds: { suspect: 30, spam: 40 } };
const lenient = { disabled: ['EMAIL_DISPOSABLE'] };

function lead(fields: object, second = 0, values = {}): Promise<string> {
  const received_at = new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString();
  return seed.lead(workspaceId, { form_id: formId, fields, received_at, ...values });
}

async function dryRun(settings: object, limit?: number) {
  const path = `/workspaces/${workspaceId}/forms/${formId}/scoring/dry-run`;
  const { status, json, text } = await service.api('POST', path, { settings, ...(limit && { limit }) });
  expect(status, text).toBe(200);
  return json;
}

/** Adds `count` older copies of a lead in one statement. */
async function copies(id: string, count: number): Promise<void> {
  await seed.query(
    `insert into leads
     select (jsonb_populate_record(l, jsonb_build_object('submission_id', gen_random_uuid(),
       'received_at', l.received_at - n * interval '1 second'))).*
     from leads l, generate_series(1, $2::int) as n where submission_id = $1`,
    [id, count],
  );
}

test('a dry run says how many verdicts a draft changes and shows each change', async () => {
  const first = await lead(throwAway, 1);
  const second = await lead({ email: 'ada@analytical.engine', name: 'Ada' }, 2);
  const third = await lead(throwAway, 3);
  const result = await dryRun(lenient);
  expect(result).toMatchObject({
    leads: 3,
    changed: 2,
    by_change: [{ from: 'suspect', to: 'clean', count: 2 }],
  });
  expect(result.examples.map(({ submission_id }: { submission_id: string }) => submission_id)).toEqual([
    third,
    first,
  ]);
  expect(result.examples).not.toContainEqual(expect.objectContaining({ submission_id: second }));
  expect(result.examples[0]).toMatchObject({
    received_at: '2026-11-01T00:00:03.000Z',
    from: { verdict: 'suspect', reasons: [expect.objectContaining({ code: 'EMAIL_DISPOSABLE' })] },
    to: { verdict: 'clean', reasons: [] },
  });
});

test('each example says which findings moved, with their points before and after', async () => {
  await lead({ ...throwAway, name: 'Ada' });
  const { examples } = await dryRun({ thresholds: { suspect: 50, spam: 60 } });
  expect(examples).toMatchObject([
    { from: { verdict: 'suspect', risk: 40 }, to: { verdict: 'clean', risk: 40 } },
  ]);
  // The same points: only the threshold moved.
  expect(examples[0].moved).toEqual([]);
  const [less] = (await dryRun({ weights: { EMAIL_DISPOSABLE: 4 } })).examples;
  expect(less.moved).toEqual([
    {
      code: 'EMAIL_DISPOSABLE',
      axis: 'risk',
      text: expect.stringContaining('mailinator.com'),
      from: 40,
      to: 4,
    },
  ]);
  const [none] = (await dryRun(lenient)).examples;
  expect(none.moved).toContainEqual(
    expect.objectContaining({ code: 'EMAIL_DISPOSABLE', from: 40, to: null }),
  );
});

test('leads that keep their verdict with another risk or score count as shifted, and come last', async () => {
  const shifted = await lead({ email: 'ada@analytical.engine', name: 'Ada Lovelace' }, 2);
  const changed = await lead(throwAway, 1);
  const result = await dryRun({ ...lenient, weights: { FIT_BUSINESS_DOMAIN: 1 } });
  expect(result).toMatchObject({ leads: 2, changed: 1, shifted: 1 });
  expect(result.examples).toMatchObject([
    { submission_id: changed },
    {
      submission_id: shifted,
      from: { verdict: 'clean' },
      to: { verdict: 'clean' },
      moved: [{ code: 'FIT_BUSINESS_DOMAIN', axis: 'score', from: expect.any(Number), to: 1 }],
    },
  ]);
});

test('a dry run judges what the SDK adds to a lead only if a web page has sent the lead', async () => {
  const fields = { name: 'Ada Lovelace', email: 'ada@analytical.engine', _context: { webdriver: true } };
  await lead(fields, 1, { surface: 'server' });
  const ofPage = await lead(fields, 2, { surface: 'browser' });
  const { examples } = await dryRun({ weights: { BROWSER_AUTOMATED: 60 } });
  expect(examples.map(({ submission_id }: { submission_id: string }) => submission_id)).toEqual([ofPage]);
});

test('what a second look found counts in both scores, with the points of each', async () => {
  const code = 'EMAIL_DISPOSABLE_MX';
  const found = { code, points: 35, field: 'email', evidence: 'mail.wabblywabble.com' };
  const looked = await lead({ email: 'ada@engines-of-ada.de', name: 'Ada' }, 1, {
    reasons: JSON.stringify([found]),
  });
  await lead({ email: 'ada@engines-of-ada.de', name: 'Ada' }, 2);
  const { examples } = await dryRun({ weights: { [code]: 4 } });
  expect(examples).toEqual([
    expect.objectContaining({
      submission_id: looked,
      from: expect.objectContaining({
        verdict: 'suspect',
        reasons: [expect.objectContaining({ ...found, points: 35 })],
      }),
      to: expect.objectContaining({
        verdict: 'clean',
        reasons: [expect.objectContaining({ ...found, points: 4 })],
      }),
    }),
  ]);
  expect((await dryRun({ disabled: [code] })).by_change).toEqual([
    { from: 'suspect', to: 'clean', count: 1 },
  ]);
  const allowed = await dryRun({ allow: { domains: ['engines-of-ada.de'] } });
  expect(allowed.by_change).toEqual([{ from: 'suspect', to: 'clean', count: 1 }]);
  expect((await dryRun({ weights: { EMAIL_INVALID: 1 } })).changed).toBe(0);
});

test('a draft that equals the current settings changes nothing', async () => {
  await lead(throwAway);
  const path = `/workspaces/${workspaceId}/forms/${formId}/scoring`;
  await service.api('PUT', path, { settings: lenient });
  expect(await dryRun(lenient)).toEqual({ leads: 1, changed: 0, shifted: 0, by_change: [], examples: [] });
  expect((await dryRun({})).by_change).toEqual([{ from: 'clean', to: 'suspect', count: 1 }]);
});

test('a dry run saves nothing', async () => {
  const id = await lead(throwAway, 0, { verdict: 'suspect' });
  await dryRun(lenient);
  const scoring = await service.api('GET', `/workspaces/${workspaceId}/forms/${formId}/scoring`);
  expect(scoring.json.version).toBe(0);
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/leads/${id}`);
  expect(json).toMatchObject({ verdict: 'suspect', ruleset: 'test' });
});

test('only leads of the form are scored again', async () => {
  const other = await createForm(service, workspaceId, { name: 'Other' });
  await seed.lead(workspaceId, { form_id: other.id, fields: throwAway });
  await seed.lead(await createWorkspace(service), { form_id: formId, fields: throwAway });
  expect(await dryRun(lenient)).toEqual({ leads: 0, changed: 0, shifted: 0, by_change: [], examples: [] });
});

test('a dry run takes the newest leads up to its limit, and shows at most 20 of them', async () => {
  await lead({ name: 'Ada' }, 2);
  await copies(await lead(throwAway, 1), 999);
  expect(await dryRun(lenient, 1)).toMatchObject({ leads: 1, changed: 0 });
  expect(await dryRun(lenient, 11)).toMatchObject({ leads: 11, changed: 10 });
  expect((await dryRun(lenient)).leads).toBe(200);
  const most = await dryRun(lenient, 1000);
  expect(most).toMatchObject({ leads: 1000, changed: 999 });
  expect(most.examples).toHaveLength(20);
});

test.each([0, 1001, 1.5, '10'])('a limit of %j is refused', async (limit) => {
  const path = `/workspaces/${workspaceId}/forms/${formId}/scoring/dry-run`;
  const { status, json } = await service.api('POST', path, { settings: {}, limit });
  expect([status, json.errors[0].field]).toEqual([422, 'limit']);
});

test('leads of any shape can be scored again', async () => {
  await lead({ ['__proto__']: 'x', constructor: null, nested: { deep: [1] }, email: 7, '': '' });
  await lead({});
  expect((await dryRun(strict)).leads).toBe(2);
});

test('leads are scored in another thread, so that none can block this one', async () => {
  await copies(await lead(throwAway), 9);
  const pool = openTestPool(service.databaseUrl);
  const thread = rescoringThread();
  const questions: number[] = [];
  const deps = managementDeps(pool, pino({ level: 'silent' }), {
    rescoring: {
      ask(question) {
        questions.push(question.leads.length);
        expect(typeof question.leads[0]?.fieldsText).toBe('string');
        return thread.ask(question);
      },
    },
  });
  const result = await dryRunScoring(deps, workspaceId, formId, dryRunRequest.parse({ settings: lenient }));
  await pool.end();
  expect(result).toMatchObject({ leads: 10, changed: 10 });
  expect(questions).toEqual([10]);
});
