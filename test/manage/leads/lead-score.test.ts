import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let formId: string;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

/** 0.6 × 45 + 0.4 × 10, less a seventh. */
const reasons = [
  { code: 'EMAIL_REPEATED', points: 20, text: 'From a rule that no longer exists' },
  { code: 'FIT_BUSINESS_DOMAIN', points: 35 },
  { code: 'FIT_FULL_NAME', points: 10 },
  { code: 'INTENT_QUESTION', points: 10 },
];
const lead = (values: object = {}) =>
  seed.lead(workspaceId, {
    form_id: formId,
    score: 27,
    risk: 20,
    reasons: JSON.stringify(reasons),
    ...values,
  });
const explain = (id: string, workspace = workspaceId) =>
  service.api('GET', `/workspaces/${workspace}/leads/${id}/score`);

test('a score is explained: what each part is made of, what it adds, and what is missing', async () => {
  const { status, json } = await explain(await lead({ ruleset: '2026.11.5' }));
  expect(status).toBe(200);
  expect(json).toMatchObject({
    score: 27,
    verdict: 'clean',
    fit: { share: 0.6, total: 45, sum: 45, adds: 27 },
    intent: { share: 0.4, total: 10, adds: 4 },
    risk: { divisor: 140, total: 20, adds: -4.4, reasons: [{ text: 'From a rule that no longer exists' }] },
    without_risk: 31,
  });
  expect(json.fit.reasons[0]).toMatchObject({ code: 'FIT_BUSINESS_DOMAIN', text: 'Company email domain' });
  expect(json.missing[0]).toEqual({
    code: 'INTENT_WORDS',
    family: 'intent',
    text: 'Does not ask for an offer, a demo or a price',
    points: 35,
    adds: 12,
  });
});

test('what is missing follows the settings that scored the lead, not later ones', async () => {
  const set = (settings: object) =>
    service.api('PUT', `/workspaces/${workspaceId}/forms/${formId}/scoring`, { settings });
  await set({ weights: { FIT_PHONE: 60 } });
  await set({ disabled: ['FIT_PHONE'] });
  const missing = async (ruleset: string) =>
    (await explain(await lead({ ruleset }))).json.missing.find(
      ({ code }: { code: string }) => code === 'FIT_PHONE',
    )?.points;
  expect(await missing('2026.11.5+form.1')).toBe(60);
  expect(await missing('2026.11.5+form.2')).toBeUndefined();
  expect(await missing('2026.11.5')).toBe(15);
});

test('a mark changes neither the score nor its explanation', async () => {
  const id = await lead();
  const before = (await explain(id)).json;
  await service.api('PUT', `/workspaces/${workspaceId}/leads/${id}/mark`, { mark: 'spam' });
  expect((await explain(id)).json).toEqual(before);
});

test('another workspace does not see the score of a lead', async () => {
  const other = await createWorkspace(service, 'Other');
  expect((await explain(await lead(), other)).status).toBe(404);
});
