import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import {
  createSender,
  expectRejected,
  type HeaderList,
  pathOf,
  type Sender,
  send,
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

type Encoding = 'hex' | 'base64';
const hmac = (encoding: Encoding, key: string | Buffer, ...parts: string[]) =>
  createHmac('sha256', key).update(parts.join('')).digest(encoding);

/** The call of a sender, signed as that sender does. */
interface Call {
  readonly sender: string;
  readonly body: string;
  readonly headers: (secret: string) => HeaderList;
  /** Of the lead that it becomes; null for a sender that cannot be read yet. */
  readonly fields: object | null;
}

const typeform = JSON.stringify({
  event_id: '01H',
  event_type: 'form_response',
  form_response: {
    form_id: 'abc',
    token: 't1',
    hidden: { utm_source: 'ads' },
    definition: {
      fields: [
        { id: 'f1', ref: 'r1', type: 'short_text', title: 'Your name' },
        { id: 'f2', ref: 'r2', type: 'email', title: 'E-Mail?' },
        { id: 'f3', ref: 'r3', type: 'multiple_choice', title: 'Interests' },
      ],
    },
    answers: [
      { type: 'text', text: 'Ada Lovelace', field: { id: 'f1', type: 'short_text', ref: 'r1' } },
      { type: 'email', email: 'ada@example.com', field: { id: 'f2', type: 'email', ref: 'r2' } },
      {
        type: 'choices',
        choices: { labels: ['A', 'B'] },
        field: { id: 'f3', type: 'multiple_choice', ref: 'r3' },
      },
      {
        type: 'phone_number',
        phone_number: '+4930123456',
        field: { id: 'f4', type: 'phone_number', ref: 'r4' },
      },
    ],
  },
});
const webflow =
  '{"triggerType":"form_submission","payload":{"name":"Contact","id":"w1","data":{"Name":"Ada","Email":"ada@example.com"}}}';
const standard =
  '{"type":"contact.created","timestamp":"2026-11-19T10:00:00Z","data":{"name":"Ada","contact":{"email":"ada@example.com"}}}';
const meta =
  '{"object":"page","entry":[{"id":"1","changes":[{"field":"leadgen","value":{"leadgen_id":"44444444444444444444"}}]}]}';
const plain = '{"email":"ada@example.com"}';
const ms = String(Date.now());
const seconds = String(Math.floor(Date.now() / 1000));
const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
const ofBody = (name: string, encoding: Encoding, prefix: string, body: string) => (secret: string) => ({
  [name]: prefix + hmac(encoding, secret, body),
});

const calls: readonly Call[] = [
  {
    sender: 'typeform',
    body: typeform,
    headers: ofBody('Typeform-Signature', 'base64', 'sha256=', typeform),
    fields: {
      'Your name': 'Ada Lovelace',
      email: 'ada@example.com',
      Interests: 'A, B',
      phone: '+4930123456',
      utm_source: 'ads',
    },
  },
  {
    sender: 'webflow',
    body: webflow,
    headers: (secret) => ({
      'x-webflow-timestamp': ms,
      'x-webflow-signature': hmac('hex', secret, `${ms}:`, webflow),
    }),
    fields: { Name: 'Ada', Email: 'ada@example.com' },
  },
  ...['webhook', 'svix'].map((prefix) => ({
    sender: prefix === 'svix' ? 'svix' : 'standard_webhooks',
    body: standard,
    headers: (secret: string) => ({
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: seconds,
      [`${prefix}-signature`]: `v1,${'A'.repeat(43)}= v1,${hmac('base64', keyOf(secret), `msg_1.${seconds}.`, standard)}`,
    }),
    fields: {
      email: 'ada@example.com',
      event: 'contact.created',
      name: 'Ada',
      contact: { email: 'ada@example.com' },
    },
  })),
  {
    sender: 'meta',
    body: meta,
    headers: ofBody('X-Hub-Signature-256', 'hex', 'sha256=', meta),
    fields: null,
  },
  {
    sender: 'github',
    body: plain,
    headers: (secret) => ({
      'X-GitHub-Event': 'push',
      'X-Hub-Signature-256': `sha256=${hmac('hex', secret, plain)}`,
    }),
    fields: null,
  },
  { sender: 'tally', body: plain, headers: ofBody('Tally-Signature', 'base64', '', plain), fields: null },
  {
    sender: 'calendly',
    body: plain,
    headers: (secret) => ({
      'Calendly-Webhook-Signature': `t=${seconds},v1=${hmac('hex', secret, `${seconds}.`, plain)}`,
    }),
    fields: null,
  },
  { sender: 'cal_com', body: plain, headers: ofBody('X-Cal-Signature-256', 'hex', '', plain), fields: null },
  {
    sender: 'shopify',
    body: plain,
    headers: ofBody('X-Shopify-Hmac-SHA256', 'base64', '', plain),
    fields: null,
  },
  {
    sender: 'woocommerce',
    body: plain,
    headers: ofBody('X-WC-Webhook-Signature', 'base64', '', plain),
    fields: null,
  },
  {
    sender: 'stripe',
    body: plain,
    headers: (secret) => ({
      'Stripe-Signature': `t=${seconds},v1=${'0'.repeat(64)},v1=${hmac('hex', secret, `${seconds}.`, plain)},v0=x`,
    }),
    fields: null,
  },
  {
    sender: 'linkedin',
    body: plain,
    headers: (secret) => ({ 'X-LI-Signature': hmac('hex', secret, 'hmacsha256=', plain) }),
    fields: null,
  },
  {
    sender: 'wpforms',
    body: plain,
    headers: (secret) => ({
      'X-WPForms-Webhook-Signature': `t=${seconds},v=${hmac('hex', secret, `${seconds}.`, plain)}`,
    }),
    fields: null,
  },
];

const deliver = (headers: HeaderList, body: string, to = sender) =>
  send(service.url + pathOf(to, 'webhook'), 'POST', { 'Content-Type': 'application/json', ...headers }, body);
const heldPath = ({ workspaceId }: Sender) => `/workspaces/${workspaceId}/held`;

describe.concurrent.each(calls.map((call) => [call.sender, call] as const))('a call of %s', (_, call) => {
  test('is rejected, held with the name of its sender, and admitted once if we can read it', async ({
    expect,
  }) => {
    const sender = await createSender(service);
    const admitAt = (id: string) => service.api('POST', `${heldPath(sender)}/${id}/admission`, {});
    expectRejected(await deliver(call.headers(sender.secret), call.body, sender));
    const [row] = await world.waitFor(sender, 1);
    expect(row).toMatchObject({ reason: 'sender_unsupported', class: 'E', sender: call.sender });
    const { items } = (await service.api('GET', heldPath(sender))).json;
    expect(items).toMatchObject([{ is_admissible: call.fields !== null, sender: { id: call.sender } }]);
    const { status, json } = await admitAt(items[0].id);
    if (call.fields === null) {
      expect([status, json.code]).toEqual([409, 'not_admissible']);
      return;
    }
    expect(status).toBe(201);
    const at = `/workspaces/${sender.workspaceId}/leads/${json.submission_id}`;
    expect((await service.api('GET', at)).json.fields).toEqual(call.fields);
    expect((await service.api('GET', `${at}/body`)).text).toBe(call.body);
    expect((await admitAt(items[0].id)).json.submission_id).toBe(json.submission_id);
    expect(await leadsOf(service, sender)).toHaveLength(1);
  });

  test('is not recognised with one byte changed, with another secret, or at another form', async ({
    expect,
  }) => {
    const [sender, other] = [await createSender(service), await createSender(service)];
    const headers = call.headers(sender.secret);
    expectRejected(await deliver(headers, call.body.replace('}', '} '), sender));
    expectRejected(await deliver(call.headers(other.secret), call.body, sender));
    expectRejected(await deliver(headers, call.body, other));
    const rows = [...(await world.waitFor(sender, 2)), ...(await world.waitFor(other, 1))];
    expect(rows.map((row) => row.class)).toEqual(['D', 'D', 'D']);
  });
});

test('Google Ads is recognised by its key, which is kept nowhere, and its long ids stay as they are', async () => {
  const call = (key: string) =>
    `{"lead_id":"l1","user_column_data":[{"column_id":"FULL_NAME","string_value":"Ada"},{"column_id":"EMAIL","string_value":"ada@example.com"}],"campaign_id":12345678901234567890,"google_key" : "${key}","is_test":true}`;
  expectRejected(await deliver({}, call(sender.secret)));
  const [row] = await world.waitFor(sender, 1);
  if (row === undefined) throw new Error('nothing was held');
  expect(row).toMatchObject({ class: 'E', sender: 'google_ads' });
  expect(opened(row).body?.toString()).toBe(call('*'.repeat(sender.secret.length)));
  const { json } = await service.api('POST', `${heldPath(sender)}/${row.id}/admission`, {});
  const lead = (await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${json.submission_id}`))
    .json;
  expect(lead.fields).toEqual({
    full_name: 'Ada',
    email: 'ada@example.com',
    lead_id: 'l1',
    campaign_id: '12345678901234567890',
    sender_test: true,
  });

  const wrong = sender.secret.replace(/.$/, '!');
  expectRejected(await deliver({}, call(wrong)));
  const [, held] = await world.waitFor(sender, 2);
  if (held === undefined) throw new Error('nothing was held');
  expect(held).toMatchObject({ class: 'D', reason: 'timestamp_missing' });
  expect(opened(held).body?.toString()).toBe(call('*'.repeat(wrong.length)));
});

test('a call that is sent again is held once, and a former secret proves it while it is valid', async () => {
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`;
  await service.api('PUT', path, { overlap_seconds: 3600 });
  const headers = ofBody('Typeform-Signature', 'base64', 'sha256=', typeform)(sender.secret);
  for (let n = 0; n < 3; n++) expectRejected(await deliver(headers, typeform));
  await world.written();
  expect(await world.rowsOf(sender)).toMatchObject([{ class: 'E', sender: 'typeform' }]);
});

test('a call to an inactive form or a suspended workspace is held, too', async () => {
  await service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { active: false });
  await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'suspended' });
  expectRejected(await deliver(ofBody('Tally-Signature', 'base64', '', plain)(sender.secret), plain));
  expect(await world.waitFor(sender, 1)).toMatchObject([{ class: 'E', sender: 'tally' }]);
});

test('a request signed our way is a lead, whatever other signatures it carries', async () => {
  const time = String(Math.floor(service.clock.now() / 1000));
  const own = { 'X-SVC-Timestamp': time, 'X-SVC-Signature': hmac('hex', sender.secret, `${time}.`, plain) };
  const both = { ...own, ...ofBody('Tally-Signature', 'base64', '', plain)(sender.secret) };
  expect((await deliver(both, plain)).status).toBe(202);
});

test('its real reason is in the diagnostics, with the name of the sender', async () => {
  expectRejected(await deliver(ofBody('Tally-Signature', 'base64', '', plain)(sender.secret), plain));
  const { items } = await eventually(
    () => diagnosticsOf(service, sender),
    (found) => found.items.length > 0,
  );
  expect(items).toMatchObject([{ reason: 'sender_unsupported', detail: { sender: 'tally' } }]);
});
