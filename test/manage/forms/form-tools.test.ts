import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSender, expectRejected, post } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace } from '../leads/seed.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function check(workspaceId: string, query: string) {
  return (await service.api('GET', `/workspaces/${workspaceId}/slug-check?${query}`)).json;
}

test('an unused slug is available, and a used one comes with a suggestion that is', async () => {
  const workspaceId = await createWorkspace(service);
  await createForm(service, await createWorkspace(service), { name: 'Pricing', slug: 'pricing' });
  expect(await check(workspaceId, 'slug=pricing-eu')).toEqual({
    slug: 'pricing-eu',
    free: true,
    problem: null,
    suggestion: null,
  });
  expect(await check(workspaceId, 'slug=pricing')).toMatchObject({ free: false, suggestion: 'pricing-2' });
});

test('a malformed slug gets the rule and the nearest valid slug', async () => {
  const workspaceId = await createWorkspace(service);
  const answer = await check(workspaceId, 'slug=Contact%20Us%21');
  expect(answer).toMatchObject({ free: false, suggestion: 'contact-us' });
  expect(answer.problem).toContain('lower-case letters');
});

test.each<[string, string | RegExp]>([
  ['Demo request', 'demo-request'],
  ['Demo request', 'demo-request-2'],
  ['Связаться с нами', 'svyazatsya-s-nami'],
  ['Επικοινωνία', 'epikoinonia'],
  ['联系我们', /^form-[0-9a-f]{8}$/],
  ['联系我们', /^form-[0-9a-f]{8}-2$/],
  ['اتصل بنا', /^form-[0-9a-f]{8}$/],
  ['🎉', /^form-[0-9a-f]{8}$/],
  ['  ·  ', /^form-[0-9a-f]{8}$/],
])('the name %j alone gives the slug that its form would get: %s', async (name, expected) => {
  const workspaceId = await createWorkspace(service);
  const { slug, free } = await check(workspaceId, `name=${encodeURIComponent(name)}`);
  const form = await createForm(service, workspaceId, { name });
  expect({ slug: form.slug, free }).toEqual({ slug, free: true });
  expect(slug).toMatch(expected);
});

test('a blank name gives no slug', async () => {
  const workspaceId = await createWorkspace(service);
  expect(await check(workspaceId, 'name=%20')).toMatchObject({ slug: '', free: false });
});

test('a test lead goes through the real URL and is stored', async () => {
  const { workspaceId, formId } = await createSender(service);
  const path = `/workspaces/${workspaceId}/forms/${formId}/test-lead`;
  const { json } = await service.api('POST', path, {});
  expect(json).toMatchObject({ surface: 'webhook', status: 202 });
  const lead = await service.api('GET', `/workspaces/${workspaceId}/leads/${json.submission_id}`);
  expect(lead.json).toMatchObject({ form_id: formId, surface: 'webhook', fields: { test: true } });
});

test('a test lead to an inactive form is rejected like any other, and can be found in the diagnostics', async () => {
  const { workspaceId, formId } = await createSender(service);
  await service.api('PATCH', `/workspaces/${workspaceId}/forms/${formId}`, { active: false });
  const { json } = await service.api('POST', `/workspaces/${workspaceId}/forms/${formId}/test-lead`, {});
  expect(json).toMatchObject({ status: 200, submission_id: null });
  expect(json.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

test('without a webhook secret no test lead is sent', async () => {
  const workspaceId = await createWorkspace(service);
  const form = await createForm(service, workspaceId);
  const answer = await service.api('POST', `/workspaces/${workspaceId}/forms/${form.id}/test-lead`, {});
  expect(answer.status).toBe(404);
  expect(answer.json.detail).toContain('no webhook secret');
});

test('ending an overlap invalidates the previous secret immediately and keeps the newest', async () => {
  const sender = await createSender(service);
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`;
  const { json } = await service.api('PUT', path, { overlap_seconds: 3600 });
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  expect((await service.api('DELETE', `${path}/previous`)).status).toBe(204);
  expectRejected(await post(service, sender, 'webhook'));
  expect((await post(service, { ...sender, secret: json.secret }, 'webhook')).status).toBe(202);
  const form = await service.api('GET', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`);
  expect(form.json.webhook_secret).toMatchObject({ configured: true, previous_valid_until: null });
});
