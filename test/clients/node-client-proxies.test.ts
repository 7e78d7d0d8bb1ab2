import { afterEach, describe, expect, test } from 'vitest';
import { Leadgate, type LeadgateOptions, SubmissionError, verify } from '../../clients/node/src/leadgate.ts';
import { closeStages, stage } from './stage.ts';

const lead = { name: 'Ada Lovelace', email: 'ada@example.com' };
const token = 'ingt_srv_x';
const secret = 'whsec_test';
const page = '<html><h1>502 Bad Gateway</h1></html>';

afterEach(closeStages);

describe.each([429, 502, 503, 504])('while a proxy answers %i', (status) => {
  test('the lead is retried with the same key and a new signature until the service responds', async () => {
    const seen: { key: unknown; isSigned: boolean }[] = [];
    const url = await stage(async ({ headers }, response, body) => {
      const signed = {
        body,
        timestamp: String(headers['x-svc-timestamp']),
        signature: String(headers['x-svc-signature']),
        secrets: [secret],
        toleranceSeconds: 30,
      };
      seen.push({ key: headers['x-svc-idempotency-key'], isSigned: await verify(signed) });
      if (seen.length < 4) response.writeHead(status, { 'Content-Type': 'text/html' }).end(page);
      else response.writeHead(202, { 'X-Request-Id': 'r1' }).end('{"submission_id":"id"}');
    });
    const result = await new Leadgate({ url, slug: 'form', secret }).submit(lead);
    expect(result).toMatchObject({ status: 'accepted', submissionId: 'id', requestId: 'r1' });
    expect(seen).toEqual(Array(4).fill({ key: result.idempotencyKey, isSigned: true }));
  });

  test('for too long, the error names the status, and the key for a later retry', async () => {
    let seen = 0;
    const url = await stage((_request, response) => {
      seen++;
      response.writeHead(status).end(page);
    });
    const client = new Leadgate({ url, token, attemptsMax: 3 });
    const error = await client.submit(lead, { idempotencyKey: 'kept' }).catch((fault) => fault);
    expect(error).toBeInstanceOf(SubmissionError);
    expect(error).toMatchObject({
      code: 'unreachable',
      httpStatus: status,
      attempts: 3,
      idempotencyKey: 'kept',
    });
    expect(seen).toBe(3);
  });
});

describe('Retry-After', () => {
  const inASecond = () => new Date(Date.now() + 2_000).toUTCString();
  test.each([
    ['seconds', () => '1'],
    ['a date', inASecond],
  ])('in %s is waited for', async (_kind, retryAfter) => {
    const times: number[] = [];
    const url = await stage((_request, response) => {
      times.push(performance.now());
      if (times.length === 1) response.writeHead(503, { 'Retry-After': retryAfter() }).end(page);
      else response.writeHead(202).end('{"submission_id":"id"}');
    });
    await new Leadgate({ url, token }).submit(lead);
    expect(times).toHaveLength(2);
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(999);
  });

  test('beyond the time limit ends the attempts immediately', async () => {
    const url = await stage((_request, response) => response.writeHead(503, { 'Retry-After': '3600' }).end());
    const error = await new Leadgate({ url, token }).submit(lead).catch((fault) => fault);
    expect(error).toMatchObject({ code: 'unreachable', httpStatus: 503, attempts: 1 });
  });

  test.each(['soon', '-1', '1e3', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'of "%s" is ignored',
    async (retryAfter) => {
      let seen = 0;
      const url = await stage((_request, response) => {
        if (++seen === 1) response.writeHead(503, { 'Retry-After': retryAfter }).end();
        else response.writeHead(202).end('{"submission_id":"id"}');
      });
      expect(await new Leadgate({ url, token, timeoutMs: 30_000 }).submit(lead)).toMatchObject({
        status: 'accepted',
      });
    },
  );
});

test('a caller who aborts does not wait for Retry-After', async () => {
  const giveUp = new AbortController();
  const url = await stage((_request, response) => {
    response.writeHead(503, { 'Retry-After': '50' }).end(() => giveUp.abort(new Error('changed my mind')));
  });
  const submission = new Leadgate({ url, token }).submit(lead, { signal: giveUp.signal });
  await expect(submission).rejects.toThrow('changed my mind');
});

test('a redirect is not followed, so no other host gets the token', async () => {
  let seen = 0;
  const elsewhere = await stage((_request, response) => {
    seen++;
    response.writeHead(202).end('{"submission_id":"id"}');
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = await stage((_request, response) =>
      response.writeHead(status, { Location: elsewhere }).end(),
    );
    const error = await new Leadgate({ url, token }).submit(lead).catch((fault) => fault);
    expect(error).toMatchObject({ code: 'unexpected_answer', httpStatus: status });
  }
  expect(seen).toBe(0);
});

describe('a client cannot be created', () => {
  const url = 'https://leads.example.com';
  test.each<[string, RegExp, object | undefined]>([
    ['without options', /url/, undefined],
    ['without a URL', /url/, { token }],
    ['with an empty URL', /url/, { url: '', token }],
    ['with an invalid URL', /url/, { url: 'leads.example.com', token }],
    ['with a URL that is not http', /url/, { url: 'ftp://leads.example.com', token }],
    ['without credentials', /Credentials are missing/, { url }],
    ['with a token from a variable that is not set', /Credentials are missing/, { url, token: undefined }],
    ['with an empty token', /`token`/, { url, token: '' }],
    ['with a token that is not a string', /`token`/, { url, token: 7 }],
    ['with a token that has a line break', /`token`/, { url, token: 'ingt_srv_se\ncret' }],
    ['without the secret of the slug', /`secret`/, { url, slug: 'form' }],
    ['with an empty secret', /`secret`/, { url, slug: 'form', secret: '' }],
    ['without the slug of the secret', /`slug`/, { url, secret }],
    ['with both kinds of credentials', /not both/, { url, token, slug: 'form', secret }],
    ['with an invalid header prefix', /headerPrefix/, { url, token, headerPrefix: 'X SVC:' }],
  ])('%s', (_case, message, options) => {
    const make = () => new Leadgate(options as LeadgateOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/ingt_srv|whsec/);
  });
});
