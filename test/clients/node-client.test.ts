import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Leadgate, SubmissionError } from '../../clients/node/src/leadgate.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { closeStages, stage } from './stage.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

afterEach(closeStages);

const lead = { name: 'Ada Lovelace', email: 'ada@example.com' };
const token = 'ingt_srv_x';

function clientOf(surface: 'server' | 'webhook', { slug, token, secret } = sender): Leadgate {
  return new Leadgate({ url: service.url, ...(surface === 'server' ? { token } : { slug, secret }) });
}

describe.each(['server', 'webhook'] as const)('on the surface %s', (surface) => {
  test('an accepted lead has the id under which it is stored', async () => {
    const result = await clientOf(surface).submit(lead);
    expect(result).toMatchObject({ status: 'accepted', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const stored = await leadsOf(service, sender, '?limit=200');
    const { submissionId } = result as { submissionId: string };
    expect(
      stored.find((item: { submission_id: string }) => item.submission_id === submissionId),
    ).toMatchObject({ surface, fields: lead });
  });

  test('the same key gives the same id, even if the key is not ASCII', async () => {
    const idempotencyKey = `ключ ${surface}`;
    const first = await clientOf(surface).submit(lead, { idempotencyKey });
    const second = await clientOf(surface).submit(lead, { idempotencyKey });
    expect(second).toMatchObject({ status: 'accepted', idempotencyKey });
    expect(second).toHaveProperty('submissionId', (first as { submissionId: string }).submissionId);
  });

  test('a rejected lead is a result, with the request id that finds its reason', async () => {
    const bad = { ...sender, token: sender.token.replace(/.{6}$/, '000000'), secret: 'another secret' };
    const result = await clientOf(surface, bad).submit(lead);
    expect(result).toMatchObject({ status: 'rejected', requestId: expect.any(String) });
    if (surface === 'server') return;
    const found = await eventually(
      () => diagnosticsOf(service, sender, `?request_id=${result.requestId}`),
      ({ items }) => items.length > 0,
    );
    expect(found.items[0]).toMatchObject({ reason: 'signature_mismatch' });
  });

  test('a batch returns a result for each lead, in order, and reports its progress', async () => {
    const own = await createSender(service);
    const leads = Array.from({ length: 40 }, (_, number) => ({ number, ...lead }));
    const told: number[] = [];
    const results = await clientOf(surface, own).submitAll(leads, {
      concurrency: 7,
      keyOf: ({ number }) => `batch ${number}`,
      onProgress: ({ done, total, accepted }) => {
        expect({ total, accepted }).toEqual({ total: 40, accepted: done });
        told.push(done);
      },
    });
    expect(told).toEqual(leads.map((_, place) => place + 1));
    const stored = new Map(
      (await leadsOf(service, own, '?limit=200')).map(
        (item: { submission_id: string; fields: { number: number } }) => [
          item.submission_id,
          item.fields.number,
        ],
      ),
    );
    expect(results.map((result) => stored.get((result as { submissionId: string }).submissionId))).toEqual(
      leads.map(({ number }) => number),
    );
  });
});

test('bytes are sent unchanged', async () => {
  const text = '{ "email" :\t"ada@example.com", "note":"\\u00e9" }';
  const result = await clientOf('webhook').submit(new TextEncoder().encode(text));
  const { submissionId } = result as { submissionId: string };
  const body = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${submissionId}/body`);
  expect(body.text).toBe(text);
});

test('after a closed connection, the lead is retried with the same key and a new signature', async () => {
  const seen: IncomingMessage[] = [];
  const url = await stage((request, response) => {
    seen.push(request);
    if (seen.length < 4) request.socket.destroy();
    else response.writeHead(202, { 'X-Request-Id': 'r1' }).end('{"submission_id":"id"}');
  });
  const result = await new Leadgate({ url, slug: 'form', secret: 'whsec_test' }).submit(lead);
  expect(result).toMatchObject({ status: 'accepted', submissionId: 'id', requestId: 'r1' });
  expect(seen).toHaveLength(4);
  expect(new Set(seen.map(({ headers }) => headers['x-svc-idempotency-key']))).toEqual(
    new Set([result.idempotencyKey]),
  );
});

test('an attempt that takes too long is aborted and retried', async () => {
  let seen = 0;
  const url = await stage((_request, response) => {
    if (++seen > 1) response.writeHead(202).end('{"submission_id":"id"}');
  });
  const client = new Leadgate({ url, token, attemptTimeoutMs: 500 });
  expect(await client.submit(lead)).toMatchObject({ status: 'accepted', submissionId: 'id' });
  expect(seen).toBeGreaterThanOrEqual(2);
});

test.each([
  [200, '{"status":"rejected"}'],
  [410, '{"error":"gone"}'],
  [500, 'an error'],
  [301, ''],
  [307, ''],
  [200, '<html>a page of a proxy</html>'],
  [200, '{"submission_id":"id"}'],
  [202, 'not JSON'],
])('a response with status %i is never retried', async (status, body) => {
  let seen = 0;
  const url = await stage((_request, response) => {
    seen++;
    response.writeHead(status, { Location: '/' }).end(body);
  });
  const result = await new Leadgate({ url, token }).submit(lead).catch((error) => error);
  expect(seen).toBe(1);
  if (body.includes('rejected')) expect(result).toMatchObject({ status: 'rejected' });
  else expect(result).toMatchObject({ code: 'unexpected_answer', httpStatus: status, attempts: 1 });
});

test('without a response within the time limit, the error names the key for a later retry', async () => {
  const url = await stage((request) => request.socket.destroy());
  // Long enough for a second attempt, however slow the machine.
  const client = new Leadgate({ url, token, timeoutMs: 6_000 });
  const error = await client.submit(lead, { idempotencyKey: 'kept' }).catch((fault) => fault);
  expect(error).toBeInstanceOf(SubmissionError);
  expect(error).toMatchObject({ code: 'unreachable', idempotencyKey: 'kept', httpStatus: null });
  expect(error.attempts).toBeGreaterThan(1);
});

test('a caller who aborts does not wait, and gets their own reason', async () => {
  const url = await stage(() => {});
  const giveUp = new AbortController();
  const submission = new Leadgate({ url, token }).submit(lead, { signal: giveUp.signal });
  giveUp.abort(new Error('changed my mind'));
  await expect(submission).rejects.toThrow('changed my mind');
});

test('a batch stays within the limit per minute, and ends when it is aborted', async () => {
  let seen = 0;
  const url = await stage((_request, response) => {
    seen++;
    response.writeHead(202).end('{"submission_id":"id"}');
  });
  const giveUp = new AbortController();
  const client = new Leadgate({ url, token, perMinuteMax: 5 });
  const results = await client.submitAll(Array(20).fill(lead), {
    signal: giveUp.signal,
    onProgress: ({ done }) => done === 5 && setTimeout(() => giveUp.abort(new Error('enough')), 300),
  });
  expect(seen).toBe(5);
  expect(results.filter(({ status }) => status === 'accepted')).toHaveLength(5);
  expect(results.filter(({ status }) => status === 'failed')).toHaveLength(15);
});

test('an invalid lead fails without a request and does not affect the others', async () => {
  const results = await clientOf('server').submitAll([lead, 'x'.repeat(131_073), lead]);
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'failed', 'accepted']);
  await expect(clientOf('server').submit(lead, { idempotencyKey: 'x'.repeat(256) })).rejects.toThrow(
    RangeError,
  );
});
