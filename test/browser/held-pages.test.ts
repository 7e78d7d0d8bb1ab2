import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noScriptPerHour } from '../../src/domain/held/held-bounds.ts';
import { hourMs, secondMs } from '../../src/time/clock.ts';
import { HeldWorld } from '../held/held-world.ts';
import { ManualClock } from '../support/clocks.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, someLead, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type PageSender, Pages } from './pages.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pages: Pages;
let held: HeldWorld;

beforeAll(async () => {
  service = await startTestService({ clock });
  pages = new Pages(service);
  held = new HeldWorld(service);
});
afterAll(async () => {
  await held.pool.end();
  await pages.close();
  await service.stop();
});

const newPage = async () => pages.setUp(await createSender(service));
const admit = ({ workspaceId }: PageSender, id: string | undefined) =>
  service.api('POST', `/workspaces/${workspaceId}/held/${id}/admission`, {});

test('an expired token is held once as class A, and admitted as the lead that a retry of it gets', async () => {
  const own = await newPage();
  const jti = randomBytes(16);
  const late = pages.token(own, someLead, { claims: { jti } });
  clock.advance(121 * secondMs);
  for (let n = 0; n < 3; n++) expectRejected(await pages.post(own, someLead, { token: late }));
  await held.written();
  const rows = await held.rowsOf(own);
  expect(rows.map(({ reason, class: kind, surface }) => [reason, kind, surface])).toEqual([
    ['token_expired', 'A', 'browser'],
  ]);
  const { status, json } = await admit(own, rows[0]?.id);
  expect(status).toBe(201);
  // The same name under a new time stands for any retry that comes in time.
  const retry = await pages.post(own, someLead, { claims: { jti } });
  expect([retry.status, submissionIdOf(retry)]).toEqual([202, json.submission_id]);
  expectRejected(await pages.post(own, '{"other":"body"}', { claims: { jti, bodyHash: null } }));
  expect(await leadsOf(service, own)).toHaveLength(1);
});

test('a token makes one lead, even if a request with a formal error was admitted before', async () => {
  const own = await newPage();
  const token = pages.token(own);
  expectRejected(await pages.post(own, someLead, { token, headers: { 'Content-Type': 'text/plain' } }));
  const [row] = await held.waitFor(own, 1);
  expect(row).toMatchObject({ class: 'B' });
  const { status, json } = await admit(own, row?.id);
  expect(status).toBe(201);
  const again = await pages.post(own, someLead, { token });
  expect([again.status, submissionIdOf(again)]).toEqual([202, json.submission_id]);
  expect(await leadsOf(service, own)).toHaveLength(1);
});

test('a token that made a lead makes no second one, even after its key has expired', async () => {
  const own = await newPage();
  const token = pages.token(own);
  const first = await pages.post(own, someLead, { token });
  expect(first.status).toBe(202);
  clock.advance(25 * hourMs);
  expectRejected(await pages.post(own, someLead, { token }));
  const [row] = await held.waitFor(own, 1);
  const { status, json } = await admit(own, row?.id);
  expect([status, json.code]).toEqual([409, 'twin']);
  expect(await leadsOf(service, own)).toHaveLength(1);
});

test('a lead is accepted again after its form was switched off, but not another one with its token', async () => {
  const own = await newPage();
  const token = pages.token(own, someLead, { claims: { bodyHash: null } });
  const first = await pages.post(own, someLead, { token });
  await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { active: false });
  const again = await pages.post(own, someLead, { token });
  expect([again.status, again.body]).toEqual([202, first.body]);
  expectRejected(await pages.post(own, '{"email":"other@example.com"}', { token }));
});

test('a lead that was accepted in time is accepted again after its token has expired, and nothing is held', async () => {
  const own = await newPage();
  const token = pages.token(own, someLead, { claims: { bodyHash: null } });
  const first = await pages.post(own, someLead, { token });
  clock.advance(121 * secondMs);
  const again = await pages.post(own, someLead, { token });
  expect([again.status, again.body]).toEqual([202, first.body]);
  await held.written();
  expect(await held.rowsOf(own)).toEqual([]);
  expectRejected(await pages.post(own, '{"other":"body"}', { token }));
  expect(await held.waitFor(own, 1)).toMatchObject([{ reason: 'token_expired' }]);
  expect(await leadsOf(service, own)).toHaveLength(1);
});

test('forms without script leave the room for held requests to pages with a token', async () => {
  const own = await newPage();
  await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { active: false });
  for (let n = 0; n < noScriptPerHour + 5; n++) await pages.submit(own.publicKey, `n=${n}`);
  expectRejected(await pages.post(own));
  await held.waitFor(own, noScriptPerHour + 1);
  await held.written();
  expect(await held.rowsOf(own)).toHaveLength(noScriptPerHour + 1);
});

test('a form that is inactive holds what its pages send', async () => {
  const own = await newPage();
  await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { active: false });
  expectRejected(await pages.post(own));
  expect(await held.waitFor(own, 1)).toMatchObject([{ reason: 'form_inactive', class: 'A' }]);
});

test('what is not proven to come from a page of the form is never held', async () => {
  const own = await newPage();
  const past = { issuedAt: clock.now() / 1000 - 200, expiresAt: clock.now() / 1000 - 100 };
  for (const claims of [
    { ...past, bodyHash: randomBytes(32) },
    { ...past, epoch: 7 },
    { ...past, origin: 'https://evil.test' },
    { epoch: 7 },
    { bodyHash: randomBytes(32) },
  ])
    expectRejected(await pages.post(own, someLead, { claims }));
  expectRejected(await pages.post(own, someLead, { claims: past, origin: null }));
  const week = 8 * 86_400;
  const old = { issuedAt: past.issuedAt - week, expiresAt: past.expiresAt - week };
  expectRejected(await pages.post(own, someLead, { claims: old }));
  await held.written();
  expect(await held.rowsOf(own)).toEqual([]);
});

test('the formal errors of a proven request keep their classes', async () => {
  const own = await newPage();
  expectRejected(await pages.post(own, someLead, { headers: { 'Content-Type': 'text/plain' } }));
  expectRejected(await pages.post(own, 'not json'));
  await held.written();
  const rows = await held.rowsOf(own);
  expect(Object.fromEntries(rows.map(({ reason, class: kind }) => [reason, kind]))).toEqual({
    content_type_unsupported: 'B',
    body_not_json: 'C',
  });
});
