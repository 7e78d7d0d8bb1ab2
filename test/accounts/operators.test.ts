import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../manage/seed.ts';
import { type Browser, join } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let operator: Browser;
let foreignWorkspace: string;
const email = 'operator@example.com';

beforeAll(async () => {
  service = await startTestService();
  operator = await join(service, await createWorkspace(service, 'Own'), email, 'owner');
  foreignWorkspace = await createWorkspace(service, 'Foreign');
});
afterAll(() => service.stop());

const makeOperator = (isOne: boolean, whose = email) =>
  service.api('POST', '/operator/people', { email: whose, operator: isOne });

test('the operator key makes a person an operator, and takes it back with effect on the next call', async () => {
  expect((await operator.api('GET', '/operator/health')).status).toBe(403);
  const made = await makeOperator(true, email.toUpperCase());
  expect(made.json).toMatchObject({ email, operator: true });
  expect((await operator.api('GET', '/me')).json.user.operator).toBe(true);
  expect((await operator.api('GET', '/operator/health')).status).toBe(200);
  await makeOperator(false);
  expect((await operator.api('GET', '/operator/health')).status).toBe(403);
  expect((await makeOperator(true, 'nobody@example.com')).status).toBe(404);
});

test('an operator lists all workspaces, suspends and resumes with a reason, and does not rename', async () => {
  await makeOperator(true);
  const listed = await operator.api('GET', '/workspaces');
  expect(listed.json.items.map(({ name }: { name: string }) => name)).toEqual(['Foreign', 'Own']);
  const path = `/workspaces/${foreignWorkspace}`;
  const suspended = await operator.api('PATCH', path, { status: 'suspended', reason: 'Abuse' });
  expect(suspended.json).toMatchObject({ status: 'suspended', suspension: { reason: 'Abuse' } });
  expect((await operator.api('GET', path)).json.suspension.reason).toBe('Abuse');
  const resumed = await operator.api('PATCH', path, { status: 'active' });
  expect(resumed.json).toMatchObject({ status: 'active', suspension: null });
  expect((await operator.api('PATCH', path, { name: 'Mine' })).status).toBe(403);
  const { json } = await service.api('GET', `${path}/audit`);
  expect(json.items[1]).toMatchObject({ actor: { name: email }, changes: { reason: 'Abuse' } });
});

test('an owner who is no operator neither suspends nor resumes', async () => {
  const owner = await join(service, foreignWorkspace, 'owner@example.com', 'owner');
  const path = `/workspaces/${foreignWorkspace}`;
  for (const status of ['suspended', 'active']) {
    expect((await owner.api('PATCH', path, { status })).status).toBe(403);
  }
});

test('the health of the service names spool, queue, directory and backlogs', async () => {
  const { status, json } = await service.api('GET', '/operator/health');
  expect(status).toBe(200);
  expect(json).toEqual({
    database: { available: true },
    commit_queue: { leads: 0 },
    spool: { leads: 0, bytes: 0, bytes_max: 1024 ** 3, usable: true, quarantined: 0, refused: 0 },
    directory: { age_seconds: expect.any(Number) },
    enrichment: { noted: 0, waiting: 0, failed: 0 },
  });
});
