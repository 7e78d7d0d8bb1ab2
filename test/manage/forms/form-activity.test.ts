import { afterAll, beforeAll, expect, test } from 'vitest';
import { rateLimits } from '../../../src/domain/rate-window.ts';
import { dayMs, minuteMs } from '../../../src/time/clock.ts';
import { join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { useUp } from '../../support/used-limits.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

const now = () => new Date(clock.now()).toISOString();
const activityPath = ({ workspaceId }: Sender) => `/workspaces/${workspaceId}/form-activity`;
const activityOf = async (sender: Sender) => (await service.api('GET', activityPath(sender))).json.items;
const secretPath = ({ workspaceId, formId }: Sender) =>
  `/workspaces/${workspaceId}/forms/${formId}/webhook-secret`;

test('each form has its last lead and the counts of a day; members do not see rejections', async () => {
  const sender = await createSender(service);
  const other = await createSender(service);
  const form_id = sender.formId;
  const none = { last_lead_at: null, leads_24h: 0, rejected_24h: 0, rate_limited_24h: 0 };
  expect(await activityOf(sender)).toEqual([{ form_id, ...none }]);
  const lastLead = now();
  for (const surface of ['server', 'webhook'] as const)
    expect((await post(service, sender, surface)).status).toBe(202);
  clock.advance(minuteMs);
  expectRejected(await post(service, sender, 'server', '[]'));
  const isCounted = (items: { leads_24h: number; rejected_24h: number }[]) =>
    items[0]?.leads_24h === 2 && items[0]?.rejected_24h === 1;
  const counted = { last_lead_at: lastLead, leads_24h: 2, rejected_24h: 1, rate_limited_24h: 0 };
  expect(await eventually(() => activityOf(sender), isCounted)).toEqual([{ form_id, ...counted }]);
  expect(await activityOf(other)).toEqual([{ form_id: other.formId, ...none }]);

  const member = await join(service, sender.workspaceId, 'member@example.com', 'member');
  const seen = await member.api('GET', activityPath(sender));
  expect(seen.json.items).toMatchObject([{ leads_24h: 2, rejected_24h: null, rate_limited_24h: null }]);
  expect((await member.api('GET', activityPath(other))).status).toBe(404);

  clock.advance(dayMs + minuteMs);
  expect(await activityOf(sender)).toEqual([{ form_id, ...none, last_lead_at: lastLead }]);
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${form_id}`);
  expect(await activityOf(sender)).toEqual([]);
});

test('what a rate limit rejected is counted apart from other rejections', async () => {
  const sender = await createSender(service);
  await useUp(service, sender, 'server', { minute: rateLimits.perMinuteMax });
  expectRejected(await post(service, sender, 'server', '{"n":"one too many"}'));
  const [counted] = await eventually(
    () => activityOf(sender),
    ([item]) => item.leads_24h === 1 && item.rate_limited_24h > 0,
  );
  expect(counted).toMatchObject({ leads_24h: 1, rejected_24h: 0, rate_limited_24h: 1 });
});

test('a secret is known by its first characters, who set it, and when it last matched', async () => {
  const sender = await createSender(service);
  const owner = await join(service, sender.workspaceId, 'owner@example.com', 'owner');
  const secret = 'own-secret-of-thirty-characters';
  expect((await owner.api('PUT', secretPath(sender), { secret, overlap_seconds: 3_600 })).status).toBe(200);
  const read = async () => (await service.api('GET', secretPath(sender))).json;
  const known = { prefix: 'own-', set_by: 'owner@example.com', last_verified_at: null };
  expect(await read()).toMatchObject(known);

  // The previous secret says nothing about the current one.
  expect((await post(service, sender, 'webhook', '{"n":1}')).status).toBe(202);
  const isOverlapUsed = (state: { previous_use: { by_previous: number } }) =>
    state.previous_use.by_previous === 1;
  expect(await eventually(read, isOverlapUsed)).toMatchObject(known);

  clock.advance(minuteMs);
  // A request whose signature matches counts even if it is rejected for another reason.
  expectRejected(await post(service, { ...sender, secret }, 'webhook', '[]'));
  const isVerified = (state: { last_verified_at: string | null }) => state.last_verified_at !== null;
  expect((await eventually(read, isVerified)).last_verified_at).toBe(now());

  clock.advance(minuteMs);
  await service.api('PUT', secretPath(sender), { secret: 'short but own' });
  expect(await read()).toMatchObject({ prefix: null, set_by: 'operator', last_verified_at: null });
  await service.api('DELETE', secretPath(sender));
  expect(await read()).toMatchObject({ configured: false, prefix: null, set_by: null });
});

test('an imported JSON Schema replaces the fields as a whole, or changes nothing', async () => {
  const sender = await createSender(service);
  const at = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  const put = (schema: string) => service.api('PUT', `${at}/schema`, { schema });
  const schema = { type: 'object', properties: { email: { type: 'string', format: 'email', pattern: '@' } } };
  const fields = [{ key: 'email', type: 'email' }];
  expect((await put(JSON.stringify(schema))).json).toEqual({
    fields,
    left_out: [{ key: 'email', keyword: 'pattern' }],
  });
  const long = JSON.stringify({ properties: { ['k'.repeat(300)]: {} } });
  for (const hostile of ['{"properties":{"__proto__":{}}}', '{"properties":{"a":{},"a":{}}}', '{', long])
    expect((await put(hostile)).status).toBe(422);
  expect((await put(`"${'x'.repeat(300_000)}"`)).status).toBe(422);
  expect((await service.api('GET', at)).json.fields).toEqual(fields);
  const exported = await service.api('GET', `${at}/schema`);
  expect(exported.headers.get('content-type')).toBe('application/schema+json');
  expect(JSON.parse(exported.text)).toMatchObject({
    title: 'Contact',
    properties: { email: { type: 'string', format: 'email' } },
  });
  const member = await join(service, sender.workspaceId, 'reader@example.com', 'member');
  expect((await member.api('GET', `${at}/schema`)).status).toBe(200);
  expect((await member.api('PUT', `${at}/schema`, { schema: '{"properties":{}}' })).status).toBe(403);
});
