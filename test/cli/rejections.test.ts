import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOf } from '../support/command-line/command-line.ts';
import { openTestPool } from '../support/database/database.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let operator: ReturnType<typeof operatorOf>;

beforeAll(async () => {
  service = await startTestService();
  operator = operatorOf(service);
});
afterAll(() => service.stop());

test('rejections are listed and found by their request id, with the reason, the fix and a link to the docs', async () => {
  const own = await createSender(service);
  const other = await createSender(service);
  const answer = await post(service, own, 'webhook', someLead, { secret: 'another' });
  await post(service, own, 'server', '[]');
  const requestId = String(answer.headers['x-request-id']);
  await eventually(
    () => diagnosticsOf(service, own),
    ({ items }) => items.length === 2,
  );
  const at = ['--workspace', own.workspaceId];
  const listed = await operator(['rejection', 'list', ...at]);
  expect(listed.stdout).toMatch(new RegExp(`signature_mismatch +error +webhook +${requestId}`));
  const filtered = await operator(['rejection', 'list', ...at, '--reason', 'body_not_object', '--json']);
  expect(filtered.json.map((entry: { reason: string }) => entry.reason)).toEqual(['body_not_object']);
  const two = ['--reason', 'body_not_object', 'signature_mismatch', '--severity', 'error'];
  expect((await operator(['rejection', 'list', ...at, ...two, '--json'])).json).toHaveLength(2);
  const groups = await operator(['rejection', 'groups', ...at, '--by', 'sender']);
  expect(groups.stdout).toMatch(new RegExp(`\\n1 +signature_mismatch +error .* webhook +${own.formId}`));
  const { stdout } = await operator(['rejection', 'get', requestId, ...at]);
  expect(stdout).toMatch(/^Reason +signature_mismatch: \S.*\nSeverity +error .*\nFix +\S/);
  expect(stdout).toContain(`${service.url}/docs/rejection-reasons#signature_mismatch`);
  const { json } = await operator(['rejection', 'get', requestId, ...at, '--json']);
  expect(json).toMatchObject({
    request_id: requestId,
    reason: 'signature_mismatch',
    detail: expect.anything(),
  });
  const elsewhere = await operator(['rejection', 'get', requestId, '--workspace', other.workspaceId]);
  expect(elsewhere).toMatchObject({ code: 5, stdout: '' });
});

test('a list says how many rejections are only counted', async () => {
  const own = await createSender(service);
  await post(service, own, 'server', '[]');
  await post(service, own, 'server', 'no json');
  await eventually(
    () => diagnosticsOf(service, own),
    ({ items }) => items.length === 2,
  );
  const list = () => operator(['rejection', 'list', '--workspace', own.workspaceId]);
  expect((await list()).stderr).toBe('');
  const pool = openTestPool(service.databaseUrl);
  await pool.query(`delete from rejection_entries where reason = 'body_not_json'`);
  await pool.end();
  expect((await list()).stderr).toBe('1 of 2 rejections are only counted.\n');
});

test('operators count rejections without a workspace, and find one by its request ID', async () => {
  const own = await createSender(service);
  const [answer] = await Promise.all(
    [1, 2].map(() => post(service, own, 'webhook', someLead, { path: '/api/v1/ingest/nobody-has-this' })),
  );
  const found = await eventually(
    () => operator(['rejection', 'unattributed', '--request', String(answer?.headers['x-request-id'])]),
    ({ stdout }) => stdout !== '',
  );
  expect(found.stdout).toMatch(/\n1 +form_unknown +webhook /);
  expect((await operator(['rejection', 'unattributed'])).stdout).toMatch(/\n2 +form_unknown +webhook /);
});

test('limits shows what each surface has used of its rate limits', async () => {
  const own = await createSender(service);
  await post(service, own, 'server', someLead);
  const { stdout } = await operator(['limits', '--workspace', own.workspaceId]);
  expect(stdout).toMatch(/\nserver +minute +1 of 1000 /);
  expect(stdout).toMatch(/\nserver +day +1 of 50000 /);
  expect(stdout).toMatch(/\nwebhook +day +0 of 50000 /);
});
