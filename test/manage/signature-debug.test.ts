import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyBytesMax } from '../../src/domain/lead/lead.ts';
import { sign } from '../../src/domain/signature.ts';
import { dayMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createForm } from './leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const logged: string[] = [];
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(line) });
  service = await startTestService({ clock, log });
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(() => service.stop());

const body = '{"email": "ada@example.com"}';
const timestamp = () => String(Math.floor(clock.now() / 1000));
const hex = (text: string, secret = sender.secret, time = timestamp()) =>
  sign(secret, time, Buffer.from(text)).toString('hex');

function debug(request: object, { workspaceId, formId } = sender) {
  return service.api('POST', `/workspaces/${workspaceId}/forms/${formId}/signature-debug`, request);
}

test('a valid signature is called valid, and every check passes', async () => {
  const { status, json } = await debug({ timestamp: timestamp(), signature: hex(body), body });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    valid: true,
    mistake: null,
    further_mistakes: [],
    fix: null,
    source: 'parts',
  });
  expect(json.verdict).toMatch(/^Valid: /);
  expect(json.checks.map(({ status }: { status: string }) => status)).toEqual(Array(7).fill('passed'));
  expect(json.clock).toEqual({
    timestamp: '2026-11-15T08:00:00.000Z',
    drift_seconds: 0,
    tolerance_seconds: 300,
    within_tolerance: true,
    text: 'on time',
  });
});

test('a mistake is named, shown and fixed in six languages', async () => {
  const { json } = await debug({ timestamp: timestamp(), signature: hex(`${body}\n`), body });
  expect(json).toMatchObject({
    valid: false,
    verdict: 'Not valid: the body was signed with a newline at the end that was not sent.',
    mistake: {
      code: 'body_line_ends',
      text: 'The body was signed with a newline at the end that was not sent.',
    },
    further_mistakes: [],
    difference: { offset: body.length, arrived: { hex: '' }, signed: { hex: '0a', text: '⟨LF⟩\n' } },
    string_to_sign: { text: `${timestamp()}.${body}`, bytes: body.length + 11, is_cut: false },
  });
  expect(Object.keys(json.fix.code)).toEqual(['curl', 'node', 'python', 'php', 'go', 'ruby']);
  expect(json.fix.code.curl).toContain(`printf '%s.%s' "$timestamp" "$body"`);
  expect(json.checks.at(-1)).toMatchObject({ code: 'signature_match', status: 'failed' });
});

test('a body may be sent as base64, so that every byte counts', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x0d, 0x7d]);
  const signature = sign(sender.secret, timestamp(), bytes).toString('hex');
  const { json } = await debug({ timestamp: timestamp(), signature, body_base64: bytes.toString('base64') });
  expect(json).toMatchObject({
    valid: true,
    string_to_sign: { last_bytes_hex: expect.stringMatching(/7bff0d7d$/) },
  });
  expect(json.string_to_sign.text).toMatch(/\{⟨FF⟩⟨CR⟩\}$/);
});

test('the largest accepted body can be debugged, as text and as base64', async () => {
  const largest = Buffer.alloc(bodyBytesMax, 'x');
  const signature = sign(sender.secret, timestamp(), largest).toString('hex');
  const request = { timestamp: timestamp(), signature };
  const asText = await debug({ ...request, body: largest.toString() });
  const asBase64 = await debug({ ...request, body_base64: largest.toString('base64') });
  expect([asText.json.valid, asBase64.json.valid]).toEqual([true, true]);
  const larger = await debug({ body_base64: Buffer.alloc(bodyBytesMax + 1).toString('base64') });
  expect(larger.json.errors[0].message).toMatch(/^must have at most 131072 bytes/);
});

test('a raw request is read as it would arrive, including its path and length', async () => {
  const request = (path: string, length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      `x-svc-timestamp: ${timestamp()}`,
      `X-Svc-Signature: sha256=${hex(body)}`,
      '',
      `${body}\n`,
    ].join('\r\n');
  const right = await debug({ raw_request: request(`/api/v1/ingest/${sender.slug}`, body.length) });
  expect(right.json).toMatchObject({ valid: true, source: 'raw_request' });
  const wrong = await debug({ raw_request: request('/api/v1/ingest/elsewhere', 7) });
  const failed = wrong.json.checks.filter(({ status }: { status: string }) => status === 'failed');
  expect(failed.map(({ code }: { code: string }) => code)).toEqual([
    'address',
    'content_length',
    'signature_match',
  ]);
});

test('a curl command is read as the shell and curl would', async () => {
  const curl = `curl -sS -XPOST 'http://localhost:3000/api/v1/ingest/${sender.slug}' \\
    -H 'Content-Type: application/json' -H "X-SVC-Timestamp: ${timestamp()}" \\
    -H 'X-SVC-Signature: ${Buffer.from(hex(body), 'hex').toString('base64')}' --data-raw '${body}'`;
  const { json } = await debug({ curl });
  expect(json).toMatchObject({ valid: false, source: 'curl', mistake: { code: 'signature_base64' } });
});

test('the time of arrival can be set; without it a request is checked as of now', async () => {
  const time = String(Math.floor((clock.now() - dayMs) / 1000) - 700);
  const request = { timestamp: time, signature: hex(body, sender.secret, time), body };
  const now = (await debug(request)).json;
  expect(now).toMatchObject({ valid: false, mistake: { code: 'timestamp_stale' } });
  expect(now.verdict).toMatch(/ old when the request arrived\. The signature itself is correct\.$/);
  const then = await debug({
    ...request,
    received_at: new Date(clock.now() - dayMs - 600_000).toISOString(),
  });
  expect(then.json).toMatchObject({ valid: true, clock: { drift_seconds: -100 } });
  expect([now.judged_by, then.json.judged_by]).toEqual(['now', 'received_at']);
});

test('a pasted request is checked as of its Date header, unless that is in the future or unreadable', async () => {
  const sentAt = clock.now() - dayMs;
  const time = String(Math.floor(sentAt / 1000) - 20);
  const head = [
    'POST / HTTP/1.1',
    'Content-Type: application/json',
    `X-SVC-Timestamp: ${time}`,
    `X-SVC-Signature: ${hex(body, sender.secret, time)}`,
  ];
  const dated = async (date: string, more = {}) =>
    (await debug({ raw_request: [...head, `Date: ${date}`, '', body].join('\r\n'), ...more })).json;
  expect(await dated(new Date(sentAt).toUTCString())).toMatchObject({
    judged_by: 'date_header',
    judged_at: new Date(sentAt).toISOString(),
    clock: { drift_seconds: -20, within_tolerance: true },
  });
  const late = { judged_by: 'now', clock: { within_tolerance: false } };
  expect(await dated(new Date(clock.now() + 1_000).toUTCString())).toMatchObject(late);
  expect(await dated('yesterday')).toMatchObject(late);
  expect(await dated('15 Nov 2026 08:00:00')).toMatchObject(late);
  const received_at = new Date(clock.now()).toISOString();
  expect((await dated(new Date(sentAt).toUTCString(), { received_at })).judged_by).toBe('received_at');
});

describe('secrets', () => {
  test('the previous secret is valid during its overlap, and is named after it', async () => {
    const request = () => ({ timestamp: timestamp(), signature: hex(body), body });
    const old = request();
    await rotate({ overlap_seconds: 60 });
    expect((await debug(old)).json.valid).toBe(true);
    clock.advance(61_000);
    const late = request();
    expect((await debug(late)).json.mistake.code).toBe('secret_previous');
  });

  test("another form's secret is named with the form, but only of the same workspace", async () => {
    const form = await createForm(service, sender.workspaceId, { name: 'Contact EU' });
    const stranger = await createSender(service);
    const path = `/workspaces/${sender.workspaceId}/forms/${form.id}/webhook-secret`;
    const { secret } = (await service.api('PUT', path, {})).json;
    const own = await debug({ timestamp: timestamp(), signature: hex(body, secret), body });
    expect(own.json.mistake).toMatchObject({
      code: 'secret_of_other_form',
      text: expect.stringContaining('Contact EU'),
    });
    const foreign = await debug({ timestamp: timestamp(), signature: hex(body, stranger.secret), body });
    expect(foreign.json.mistake).toBeNull();
  });

  test('an ingest token, an id, or a secret to try is recognised', async () => {
    const code = async (secret: string, more = {}) =>
      (await debug({ timestamp: timestamp(), signature: hex(body, secret), body, ...more })).json.mistake
        ?.code;
    expect(await code(sender.token)).toBeUndefined();
    expect(await code(sender.token, { try_secret: sender.token })).toBe('secret_is_ingest_token');
    expect(await code('mine', { try_secret: 'mine' })).toBe('secret_other');
    expect(await code(sender.slug)).toBe('secret_is_identifier');
  });

  test('a form without a secret gets a clear message', async () => {
    const form = await createForm(service, sender.workspaceId);
    const { json } = await debug({ timestamp: timestamp(), body }, { ...sender, formId: form.id });
    expect(json.verdict).toBe('Not valid: the form has no webhook secret, so every request is rejected.');
  });

  function rotate(request: object) {
    return service.api(
      'PUT',
      `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`,
      request,
    );
  }
});

test('neither the expected signature nor the secret is ever in a response', async () => {
  const requests = [
    {},
    { signature: 'ab'.repeat(32) },
    { signature: hex(body).slice(0, 40) },
    { signature: hex(`${body}\n`) },
  ];
  for (const request of requests) {
    const { text } = await debug({ timestamp: timestamp(), body, ...request });
    expect(text).not.toContain(hex(body).slice(0, 16));
    expect(text).not.toContain(Buffer.from(hex(body), 'hex').toString('base64').slice(0, 16));
    expect(text).not.toContain(sender.secret);
  }
});

test('each use leaves a log line without any content of the request', async () => {
  logged.length = 0;
  await debug({ timestamp: timestamp(), signature: hex(`${body}\n`), body, try_secret: 'a secret to try' });
  const lines = logged.map((line) => JSON.parse(line)).filter(({ event }) => event !== undefined);
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'signature_debug',
      by: 'operator',
      workspace_id: sender.workspaceId,
      form_id: sender.formId,
      source: 'parts',
      valid: false,
      mistakes: ['body_line_ends'],
    }),
  ]);
  for (const word of ['ada@example.com', hex(`${body}\n`), 'a secret to try'])
    expect(logged.join('')).not.toContain(word);
});

test('more than 30 uses a minute for one form are refused until the minute is over', async () => {
  const use = async () => (await debug({ timestamp: timestamp(), signature: hex(body), body })).status;
  for (let i = 0; i < 30; i++) expect(await use()).toBe(200);
  const { status, json, headers } = await debug({ body });
  expect([status, json.code]).toEqual([429, 'too_many_calls']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  clock.advance(60_000);
  expect(await use()).toBe(200);
});

test.each<[object, string, RegExp]>([
  [{}, 'input', /^send one of rejection_id, raw_request, curl, or body/],
  [{ timestamp: '1', signature: 'x' }, 'input', /^send one of/],
  [{ body: '', body_base64: '' }, 'body_base64', /^send body or body_base64, not both$/],
  [{ raw_request: 'x', curl: 'curl' }, 'curl', /^send only one of/],
  [{ raw_request: 'POST / HTTP/1.1\n\n', body: '' }, 'body', /^is already part of raw_request$/],
  [{ rejection_id: randomUUID(), signature: 'x' }, 'signature', /^is already part of rejection_id$/],
  [{ rejection_id: '7' }, 'rejection_id', /^use a UUID$/],
  [{ body_base64: 'ü' }, 'body_base64', /^is not base64$/],
  [{ body: 'x'.repeat(131_073) }, 'body', /^must have at most 131072 bytes/],
  [{ body: '\ud800' }, 'body', /^contains half a character/],
  [{ body: '', secret: 'x' }, 'secret', /^unknown field; known fields: timestamp, signature, body,/],
  [{ body: 7 }, 'body', /^must be text$/],
  [{ raw_request: 'no request' }, 'raw_request', /^this line is not a header: "no request"/],
  [{ curl: 'wget x' }, 'curl', /^the command must start with curl$/],
  [{ curl: 'curl -d @lead.json x' }, 'curl', /^the body is in the file lead\.json/],
  [{ curl: 'curl -d "$body" x' }, 'curl', /^the command contains a shell substitution/],
  [{ curl: "curl -d 'x" }, 'curl', /^a quote \('\) is never closed/],
  [{ body: '', received_at: 'now' }, 'received_at', /^use an RFC 3339 time/],
])('the request %j is refused with a reason', async (request, field, message) => {
  const { status, json } = await debug(request);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
});
