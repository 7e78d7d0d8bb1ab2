import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintApiKey } from '../../src/domain/api-key/api-key.ts';
import { scopes } from '../../src/domain/api-key/scope.ts';
import { mintToken } from '../../src/domain/token.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { ManualClock } from '../support/clocks.ts';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { type Answer, createSender, expectRejected, post, type Sender, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService({ clock });
  sender = await createSender(service);
});
afterAll(() => service.stop());

function withAuthorization(value: string | string[]): Promise<Answer> {
  return post(service, sender, 'server', someLead, { headers: { Authorization: value } });
}

test('a token is accepted whatever the case of the word Bearer', async () => {
  expect((await withAuthorization(`bearer ${sender.token}`)).status).toBe(202);
});

test('a lead is attributed to the form its token was created for', async () => {
  const at = `/workspaces/${sender.workspaceId}`;
  const form = (await service.api('POST', `${at}/forms`, { name: 'Second' })).json;
  const token = (await service.api('POST', `${at}/tokens`, { name: 'Second', form_id: form.id })).json.token;
  expect((await withAuthorization(`Bearer ${token}`)).status).toBe(202);
  expect((await leadsOf(service, sender, `?form_id=${form.id}`)).length).toBe(1);
});

test('a request without a token is rejected', async () => {
  expectRejected(await post(service, sender, 'server', someLead, { without: ['Authorization'] }));
});

test.each([
  ['an empty token', 'Bearer '],
  ['another scheme', 'Basic dXNlcjpwYXNz'],
  ['no scheme', 'ingt_srv_abc'],
  ['a made-up token', 'Bearer ingt_srv_secret'],
  ['a token of the right shape that does not exist', `Bearer ${mintToken('server')}`],
])('%s is rejected', async (_, value) => {
  expectRejected(await withAuthorization(value));
});

test('a token with one changed character is rejected', async () => {
  const last = sender.token.endsWith('0') ? '1' : '0';
  expectRejected(await withAuthorization(`Bearer ${sender.token.slice(0, -1)}${last}`));
});

test('two Authorization headers are rejected, even when both are valid', async () => {
  expectRejected(await withAuthorization([`Bearer ${sender.token}`, `Bearer ${sender.token}`]));
});

test('an API key or a browser token, cut off or not, is rejected as a token of the wrong type, and counted for the operator', async () => {
  const { key } = await createApiKey(service, sender.workspaceId, scopes);
  expectRejected(await withAuthorization(`Bearer ${key}`));
  expectRejected(await withAuthorization(`Bearer ${mintApiKey()}`));
  expectRejected(await withAuthorization(`Bearer ${mintApiKey().slice(0, -1)}`));
  expectRejected(await withAuthorization('Bearer ingt_br_AAAA-_made-up'));
  expectRejected(await withAuthorization(`Bearer ${mintToken('browser')}`));
  const range = `from=${new Date(clock.now() - 3_600_000).toISOString()}`;
  const reasons = async (): Promise<{ reason: string; count: number }[]> =>
    (await service.api('GET', `/operator/unattributed?${range}`)).json.items;
  const counted = await eventually(reasons, (items) =>
    items.some(({ reason, count }) => reason === 'token_wrong_type' && count === 5),
  );
  expect(counted).toContainEqual(expect.objectContaining({ reason: 'token_wrong_type', count: 5 }));
});

test('a token of another type is rejected', async () => {
  const body = { name: 'Browser', form_id: sender.formId, type: 'browser' };
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, body);
  expect(json.token).toMatch(/^ingt_br_/);
  expectRejected(await withAuthorization(`Bearer ${json.token}`));
});

test('a revoked token is rejected immediately', async () => {
  const at = `/workspaces/${sender.workspaceId}/tokens`;
  const { json } = await service.api('POST', at, { name: 'Short-lived', form_id: sender.formId });
  expect((await withAuthorization(`Bearer ${json.token}`)).status).toBe(202);
  await service.api('DELETE', `${at}/${json.id}`);
  expectRejected(await withAuthorization(`Bearer ${json.token}`));
});

test('a token is accepted until the moment it expires', async () => {
  const expires_at = new Date(clock.now() + 60_000).toISOString();
  const body = { name: 'Expiring', form_id: sender.formId, expires_at };
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, body);
  clock.advance(59_999);
  expect((await withAuthorization(`Bearer ${json.token}`)).status).toBe(202);
  clock.advance(1);
  expectRejected(await withAuthorization(`Bearer ${json.token}`));
});

test('a query string does not matter', async () => {
  expect(
    (await post(service, sender, 'server', someLead, { path: '/api/v1/ingest?source=site' })).status,
  ).toBe(202);
});
