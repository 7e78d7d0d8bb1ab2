import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import {
  createSender,
  type PostOptions,
  post,
  type Sender,
  someLead,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { HeldWorld, opened } from './held-world.ts';

let service: TestService;
let world: HeldWorld;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  world = new HeldWorld(service);
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(async () => {
  await world.pool.end();
  await service.stop();
});

const at = (path: string) => `/workspaces/${sender.workspaceId}${path}`;
const change = (active: boolean) => service.api('PATCH', at(`/forms/${sender.formId}`), { active });
const read = (id: string) => service.api('GET', at(`/rejections/${id}`));
const dryRun = (id: string) => service.api('POST', at(`/rejections/${id}/dry-run`));

/** Sends what is rejected, and returns the ID of its entry once all of it is written. */
async function rejected(
  surface: 'server' | 'webhook',
  body: string,
  options: PostOptions = {},
): Promise<string> {
  const { headers } = await post(service, sender, surface, body, options);
  const requestId = headers['x-request-id'];
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, `?request_id=${requestId}`),
    (found) => found.items.length === 1,
  );
  await world.written();
  return items[0].id;
}

test('a request is explained with its values, the names of form and token, its response and how often it occurred', async () => {
  await rejected('server', 'x', { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  const id = await rejected('server', 'x', { headers: { 'Content-Type': 'text/plain; boundary=x' } });
  const { status, json } = await read(id);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    ...{
      id,
      reason: 'content_type_unsupported',
      severity: 'error',
      form_name: 'Contact',
      token_name: 'Backend',
    },
    sentence: 'The content type was text/plain, not application/json in UTF-8.',
    docs_path: '/docs/rejection-reasons#content_type_unsupported',
    ...{ kept: 'held', is_held: true, is_admissible: false, can_dry_run: true },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Request-Id', value: json.request_id },
      ],
      body: '{"status":"rejected"}',
    },
  });
  const counted = await eventually(
    () => read(id),
    (answer) => answer.json.occurrences.last_24_hours === 2,
  );
  expect(counted.json.occurrences).toMatchObject({ last_24_hours: 2, last_7_days: 2 });
});

test('of a proven sender the headers are kept, without credentials; of others only those of the check', async () => {
  await change(false);
  const secretive = { Cookie: 'session=secret', 'X-Forwarded-For': '192.0.2.7', 'User-Agent': 'crm/1' };
  const proven = await rejected('server', someLead, { headers: secretive });
  await change(true);
  const unproven = await rejected('webhook', someLead, { secret: 'wrong', headers: secretive });
  const held = async (id: string) => (await service.api('GET', at(`/held/${id}`))).json.request;
  const { method, path, headers, has_all_headers } = await held(proven);
  expect([method, path, has_all_headers]).toEqual(['POST', '/api/v1/ingest', true]);
  expect(headers).toContainEqual({ name: 'User-Agent', value: 'crm/1' });
  expect(headers).toContainEqual({ name: 'Cookie', value: '[not recorded]' });
  expect(headers).toContainEqual({ name: 'Authorization', value: 'Bearer ingt_srv_…' });
  const stored = JSON.stringify((await world.rowsOf(sender)).map(opened));
  for (const secret of ['session=secret', '192.0.2.7', sender.token]) expect(stored).not.toContain(secret);
  const names = (await held(unproven)).headers.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['Content-Type', 'X-SVC-Timestamp', 'X-SVC-Signature']);
  await service.api('POST', at(`/held/${proven}/discard`));
  expect(await held(proven)).toBeNull();
  expect((await read(proven)).json).toMatchObject({ kept: 'discarded', can_dry_run: false });
});

test('a dry run says what would happen now, and stores, counts and limits nothing', async () => {
  await change(false);
  const id = await rejected('webhook', someLead);
  expect((await dryRun(id)).json).toMatchObject({
    outcome: 'rejected',
    reason: 'form_inactive',
    score: null,
  });
  await change(true);
  const before = await diagnosticsOf(service, sender);
  const { json } = await dryRun(id);
  expect(json).toMatchObject({ outcome: 'accepted', verdict: 'clean', score: expect.any(Number) });
  expect(json.text).toContain(`a score of ${json.score} and the verdict clean`);
  await world.written();
  const { totals, by_reason } = await diagnosticsOf(service, sender);
  expect({ totals, by_reason }).toEqual({ totals: before.totals, by_reason: before.by_reason });
  expect(await leadsOf(service, sender)).toEqual([]);
  expect((await read(id)).json.kept).toBe('held');
  await service.api('DELETE', at(`/forms/${sender.formId}/webhook-secret`));
  expect((await dryRun(id)).json).toMatchObject({ outcome: 'rejected', reason: 'secret_not_configured' });
});

test('a dry run tells a body that can never be a lead from one that the sender has sent again meanwhile', async () => {
  const list = await rejected('server', '[]');
  expect((await read(list)).json.sentence).toBe('The body was a list; a lead is one object.');
  expect((await dryRun(list)).json).toMatchObject({ outcome: 'rejected', reason: 'body_not_object' });
  await change(false);
  const id = await rejected('server', someLead, { key: 'order-1' });
  await change(true);
  const again = await post(service, sender, 'server', someLead, { key: 'order-1' });
  const submission_id = submissionIdOf(again);
  expect((await dryRun(id)).json).toMatchObject({ outcome: 'duplicate', submission_id });
  await service.api('DELETE', at(`/tokens/${sender.tokenId}`));
  expect((await dryRun(id)).json).toMatchObject({ outcome: 'rejected', reason: 'token_revoked' });
});

test('there is no dry run of what a token, a signature or a limit rejected, and none of another workspace', async () => {
  const unsigned = await rejected('webhook', someLead, { secret: 'wrong' });
  const late = await rejected('webhook', someLead, { timestamp: '1700000000' });
  for (const id of [unsigned, late]) {
    expect((await read(id)).json).toMatchObject({ kept: 'held', can_dry_run: false });
    const { status, json } = await dryRun(id);
    expect([status, json.code]).toEqual([404, 'request_not_kept']);
  }
  const unknown = await rejected('server', 'x'.repeat(200_000));
  expect((await read(unknown)).json).toMatchObject({
    ...{ reason: 'body_too_large', kept: 'not_kept', can_dry_run: false },
    sentence: 'The body had 200,000 bytes; at most 131,072 are accepted.',
  });
  const stranger = await createSender(service);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/dry-run'],
  ] as const) {
    const { status } = await service.api(
      method,
      `/workspaces/${stranger.workspaceId}/rejections/${unsigned}${path}`,
    );
    expect(status).toBe(404);
  }
});
