import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import type { FormEntry } from '../../src/ingest/directory/directory.ts';
import { IngestHeaders } from '../../src/ingest/headers.ts';
import type { Received } from '../../src/ingest/receive.ts';
import { Rejection } from '../../src/ingest/rejection.ts';
import { proveSignature, type SignatureDeps } from '../../src/ingest/webhook-signature.ts';
import { ManualClock } from '../support/clocks.ts';
import {
  type Answer,
  createSender,
  expectRejected,
  post,
  type Sender,
  send,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12, 0, 0, 500));
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService({ clock });
  sender = await createSender(service);
});
afterAll(() => service.stop());

const nowSeconds = () => Math.floor(clock.now() / 1000);
const signatureOf = (body: string, timestamp = String(nowSeconds())) =>
  sign(sender.secret, timestamp, Buffer.from(body)).toString('hex');

function withSignature(value: string | string[], body = someLead): Promise<Answer> {
  return post(service, sender, 'webhook', body, { headers: { 'X-SVC-Signature': value } });
}

test('the prefix sha256= and upper-case hex are accepted', async () => {
  expect((await withSignature(`sha256=${signatureOf(someLead)}`)).status).toBe(202);
  expect((await withSignature(signatureOf(someLead).toUpperCase())).status).toBe(202);
  expect((await withSignature(`sha256=${signatureOf(someLead).toUpperCase()}`)).status).toBe(202);
});

test('a missing signature is rejected: there is no mode without one', async () => {
  expectRejected(await post(service, sender, 'webhook', someLead, { without: ['X-SVC-Signature'] }));
});

test.each([
  ['an empty signature', () => ''],
  ['63 characters', () => signatureOf(someLead).slice(1)],
  ['65 characters', () => `${signatureOf(someLead)}0`],
  ['base64', () => Buffer.from(signatureOf(someLead), 'hex').toString('base64')],
  ['another prefix', () => `sha1=${signatureOf(someLead)}`],
  ['a prefix twice', () => `sha256=sha256=${signatureOf(someLead)}`],
  ['a list', () => `${signatureOf(someLead)},${signatureOf(someLead)}`],
])('a malformed signature is rejected: %s', async (_, signature) => {
  expectRejected(await withSignature(signature()));
});

test('a signature of another body, timestamp or secret is rejected', async () => {
  expectRejected(await withSignature(signatureOf('{"email":"eve@example.com"}')));
  expectRejected(await withSignature(signatureOf(someLead, String(nowSeconds() - 1))));
  expectRejected(await post(service, sender, 'webhook', someLead, { secret: 'another secret' }));
});

test('a signature over a re-serialised body does not match', async () => {
  const sent = '{ "email": "ada@analytical.engine" }';
  expectRejected(await withSignature(signatureOf(JSON.stringify(JSON.parse(sent))), sent));
  expect((await withSignature(signatureOf(sent), sent)).status).toBe(202);
});

test('the signature covers the raw bytes, even if they are not ASCII', async () => {
  const body = '{"name":"Zoë 🦊","note":"\\u0000"}';
  expect((await withSignature(signatureOf(body), body)).status).toBe(202);
});

test.each([-300, -299, 0, 299, 300])('a timestamp %i seconds away is accepted', async (offset) => {
  const timestamp = String(nowSeconds() + offset);
  expect((await post(service, sender, 'webhook', someLead, { timestamp })).status).toBe(202);
});

test.each([-301, -3600, 301, 3600])(
  'a timestamp %i seconds away is rejected although it is signed',
  async (offset) => {
    expectRejected(
      await post(service, sender, 'webhook', someLead, { timestamp: String(nowSeconds() + offset) }),
    );
  },
);

test('a missing timestamp is rejected', async () => {
  expectRejected(await post(service, sender, 'webhook', someLead, { without: ['X-SVC-Timestamp'] }));
});

test.each([
  ['not a number', 'yesterday'],
  ['milliseconds', () => String(clock.now())],
  ['a sign', () => `+${nowSeconds()}`],
  ['a decimal', () => `${nowSeconds()}.0`],
  ['an exponent', '1e9'],
  ['hexadecimal', '0x6a1b2c3d'],
  ['a list', () => `${nowSeconds()}, ${nowSeconds()}`],
])('an invalid timestamp is rejected although it is signed: %s', async (_, value) => {
  const timestamp = typeof value === 'function' ? value() : value;
  expectRejected(await post(service, sender, 'webhook', someLead, { timestamp }));
});

test('the timestamp is signed exactly as sent, leading zeros included', async () => {
  expect((await post(service, sender, 'webhook', someLead, { timestamp: `0${nowSeconds()}` })).status).toBe(
    202,
  );
});

test('repeated timestamp or signature headers are rejected', async () => {
  const timestamp = String(nowSeconds());
  expectRejected(
    await post(service, sender, 'webhook', someLead, {
      headers: { 'X-SVC-Timestamp': [timestamp, timestamp] },
    }),
  );
  expectRejected(await withSignature([signatureOf(someLead), signatureOf(someLead)]));
});

test('a form without a webhook secret rejects every submission', async () => {
  const other = await createSender(service);
  await service.api('DELETE', `/workspaces/${other.workspaceId}/forms/${other.formId}/webhook-secret`);
  expectRejected(await post(service, other, 'webhook'));
  expectRejected(await post(service, other, 'webhook', someLead, { secret: '' }));
});

test('without an overlap, the previous secret is rejected immediately', async () => {
  const other = await createSender(service);
  const at = `/workspaces/${other.workspaceId}/forms/${other.formId}/webhook-secret`;
  const { json } = await service.api('PUT', at, {});
  expectRejected(await post(service, other, 'webhook'));
  expect((await post(service, other, 'webhook', someLead, { secret: json.secret })).status).toBe(202);
});

test('with an overlap, both secrets are valid until it ends, then only the new one', async () => {
  const other = await createSender(service);
  const at = `/workspaces/${other.workspaceId}/forms/${other.formId}/webhook-secret`;
  await service.api('PUT', at, { secret: 'a secret of my own', overlap_seconds: 60 });
  const withOld = () => post(service, other, 'webhook');
  const withNew = () => post(service, other, 'webhook', someLead, { secret: 'a secret of my own' });
  expect([(await withOld()).status, (await withNew()).status]).toEqual([202, 202]);
  clock.advance(60_000);
  expectRejected(await withOld());
  expect((await withNew()).status).toBe(202);
});

test.each([
  ['unknown', 'no-such-form'],
  ['empty', ''],
  ['with a further segment', 'a/b'],
  ['of 10,000 characters', 'x'.repeat(10_000)],
  ['with broken escapes', '%zz'],
  ['with an escaped slash', 'a%2Fb'],
  ['with an escaped NUL', '%00'],
  ['with escaped parent folders', '..%2f..%2fworkspaces'],
])('a slug %s is rejected like any other', async (_, slug) => {
  expectRejected(await post(service, sender, 'webhook', someLead, { path: `/api/v1/ingest/${slug}` }));
});

test('a percent-encoded slug is decoded', async () => {
  const encoded = [...sender.slug].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
  expect(
    (await post(service, sender, 'webhook', someLead, { path: `/api/v1/ingest/${encoded}` })).status,
  ).toBe(202);
});

test('a slug that two workspaces share is rejected for both and shown to both', async () => {
  const other = await createSender(service);
  const body = { name: 'Twin', slug: other.slug, allow_shared_slug: true };
  const twin = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, body);
  expect(twin.status).toBe(201);
  expectRejected(await post(service, other, 'webhook'));
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${twin.json.id}`);
  expect((await post(service, other, 'webhook')).status).toBe(202);
});

test('an ingest token is no substitute for a signature', async () => {
  const headers = { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' };
  expectRejected(await send(`${service.url}/api/v1/ingest/${sender.slug}`, 'POST', headers, someLead));
});

test.each([
  ['a bad signature', String(nowSeconds()), 'a'.repeat(64)],
  ['a stale timestamp', '1', 'a'.repeat(64)],
  ['a malformed timestamp', 'x', 'a'.repeat(64)],
  ['a malformed signature', String(nowSeconds()), 'a'],
  ['no timestamp', undefined, 'a'.repeat(64)],
  ['no signature', String(nowSeconds()), undefined],
])(
  '%s is checked by the same steps whether or not the slug belongs to an active form',
  (_, timestamp, signature) => {
    const secret = { current: createSecretKey(randomBytes(32)), previous: null, previousValidUntil: 0 };
    const form = { workspaceId: 'workspace', isActive: true, secret } as unknown as FormEntry;
    const forms = {
      known: [form],
      unknown: [],
      ambiguous: [form, form],
      inactive: [{ ...form, isActive: false }],
      suspended: [{ ...form, workspaceId: 'suspended' }],
      'without a secret': [{ ...form, secret: null }],
    };
    const steps = Object.values(forms).map((each) => stepsOf(each, timestamp, signature));
    expect(new Set(steps).size).toBe(1);
  },
);

/** Which headers were read and whether the clock was read, in order. */
function stepsOf(forms: readonly FormEntry[], timestamp?: string, signature?: string): string {
  const steps: string[] = [];
  const noting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (from, name) => {
        steps.push(String(name));
        return Reflect.get(from, name);
      },
    });
  const headers = noting(Object.assign(new IngestHeaders(), { timestamp, signature }));
  const raw = noting({ url: '/api/v1/ingest/x', rawHeaders: ['Typeform-Signature', 'sha256=AAAA'] });
  const identity = { token: null, rejection: null, forms };
  const arrival = { headers, raw, method: 'POST', at: clock.now(), identity };
  const received = { arrival, body: Buffer.from(someLead) } as unknown as Received;
  const directory = { workspace: (id: string) => ({ id, isSuspended: id === 'suspended' }) };
  const deps = { directory, clock: noting({ leapMs: 0 }), publicUrl: null } as unknown as SignatureDeps;
  const proof = proveSignature(received, deps);
  expect(proof).toBeInstanceOf(Rejection);
  return steps.join();
}
