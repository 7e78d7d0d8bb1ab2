import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadsOf } from '../support/diagnostics.ts';
import {
  createSender,
  expectRejected,
  post,
  rejectedBody,
  type Sender,
  senderSurfaces,
  someLead,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

/** A signed request that repeats a stored lead would get its 202. */
const neverStored = '{"email":"grace@example.com"}';

describe.each(senderSurfaces)('on the %s surface', (surface) => {
  test('a valid lead gets 202 with nothing but its submission id', async () => {
    const answer = await post(service, sender, surface);
    expect(answer.status).toBe(202);
    expect(answer.body).toBe(`{"submission_id":"${submissionIdOf(answer)}"}`);
    expect(submissionIdOf(answer)).toMatch(uuid);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['x-request-id']).toMatch(uuid);
  });

  test('a 202 means that the lead is stored and scored, with its fields and its exact bytes', async () => {
    const body = '{ "email" : "ada@analytical.engine",\n "nested": {"a": [1, 2]}, "n": 1.50 }';
    const id = submissionIdOf(await post(service, sender, surface, body));
    const at = `/workspaces/${sender.workspaceId}/leads/${id}`;
    const { json } = await service.api('GET', at);
    expect(json).toMatchObject({
      submission_id: id,
      form_id: sender.formId,
      surface,
      fields: { email: 'ada@analytical.engine', nested: { a: [1, 2] }, n: 1.5 },
      verdict: 'clean',
      grade: expect.stringMatching(/^[A-E]$/),
      reasons: [],
    });
    expect((await service.api('GET', `${at}/body`)).text).toBe(body);
  });

  test('every rejection is the same bytes with the same headers, whatever its cause', async () => {
    const answers = await Promise.all([
      post(service, sender, surface, 'no json'),
      post(service, sender, surface, '[]'),
      post(service, sender, surface, someLead, { method: 'PUT' }),
      post(service, sender, surface, 'x'.repeat(131_073)),
      post(service, sender, surface, neverStored, { headers: { 'Content-Type': 'text/plain' } }),
      post(service, sender, surface, someLead, { key: 'k'.repeat(256) }),
      post(service, sender, surface, someLead, { without: ['Authorization', 'X-SVC-Signature'] }),
    ]);
    const seen = answers.map(({ status, body, headers: { date: _, 'x-request-id': id, ...headers } }) => {
      expect(id).toMatch(uuid);
      return JSON.stringify({ status, body, headers });
    });
    expect(new Set(seen).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: rejectedBody });
  });

  test('a rejected submission stores no lead', async () => {
    const before = (await leadsOf(service, sender)).length;
    expectRejected(await post(service, sender, surface, '"text"'));
    expect((await leadsOf(service, sender)).length).toBe(before);
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('the method %s is rejected', async (method) => {
    expectRejected(await post(service, sender, surface, someLead, { method }));
  });

  test('HEAD is answered with 200 and no body', async () => {
    expect(await post(service, sender, surface, '', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    });
  });

  test.each([131_071, 131_072])('a body of %i bytes is accepted', async (size) => {
    const answer = await post(service, sender, surface, bodyOf(size));
    expect(answer.status).toBe(202);
  });

  test.each([131_073, 200_000, 2_000_000])('a body of %i bytes is rejected', async (size) => {
    expectRejected(await post(service, sender, surface, bodyOf(size)));
  });

  test('the body limit applies without Content-Length too', async () => {
    const chunked = { headers: { 'Transfer-Encoding': 'chunked' } };
    expect((await post(service, sender, surface, bodyOf(131_072), chunked)).status).toBe(202);
    expectRejected(await post(service, sender, surface, bodyOf(131_073), chunked));
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/json; profile=x',
  ])('the content type %s is accepted', async (type) => {
    expect(
      (await post(service, sender, surface, someLead, { headers: { 'Content-Type': type } })).status,
    ).toBe(202);
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
  ])('the content type %s is rejected', async (type) => {
    expectRejected(await post(service, sender, surface, neverStored, { headers: { 'Content-Type': type } }));
  });

  test('a missing content type is rejected', async () => {
    expectRejected(await post(service, sender, surface, neverStored, { without: ['Content-Type'] }));
  });

  test('a compressed body is rejected and never inflated; the encoding identity is accepted', async () => {
    expectRejected(
      await post(service, sender, surface, someLead, { headers: { 'Content-Encoding': 'gzip' } }),
    );
    const plain = await post(service, sender, surface, someLead, {
      headers: { 'Content-Encoding': 'identity' },
    });
    expect(plain.status).toBe(202);
  });

  test.each([
    ['NUL in a key', '{"email\\u0000":"nope"}'],
    ['a lone surrogate in a key', '{"name\\ud800":"www.x.example"}'],
    ['a number of 17,000 decimals', `{"n":0.${'1'.repeat(17_000)}}`],
    ['a number of 131,072 digits', '{"n":1e131071}'],
    ['the key __proto__', '{"__proto__":{"a":1}}'],
  ])('%s is accepted, scored and stored byte for byte', async (_, body) => {
    const answer = await post(service, sender, surface, body);
    expect(answer.status).toBe(202);
    const at = `/workspaces/${sender.workspaceId}/leads/${submissionIdOf(answer)}`;
    expect((await service.api('GET', `${at}/body`)).text).toBe(body);
    expect(Object.keys((await service.api('GET', at)).json.fields).length).toBe(1);
  });

  test('a suspended workspace rejects every submission until it is resumed', async () => {
    const other = await createSender(service);
    await service.api('PATCH', `/workspaces/${other.workspaceId}`, { status: 'suspended' });
    expectRejected(await post(service, other, surface));
    await service.api('PATCH', `/workspaces/${other.workspaceId}`, { status: 'active' });
    expect((await post(service, other, surface)).status).toBe(202);
  });

  test('an inactive form rejects, an activated one accepts again', async () => {
    const other = await createSender(service);
    const at = `/workspaces/${other.workspaceId}/forms/${other.formId}`;
    await service.api('PATCH', at, { active: false });
    expectRejected(await post(service, other, surface));
    await service.api('PATCH', at, { active: true });
    expect((await post(service, other, surface)).status).toBe(202);
  });

  test('a deleted form rejects', async () => {
    const other = await createSender(service);
    await service.api('DELETE', `/workspaces/${other.workspaceId}/forms/${other.formId}`);
    expectRejected(await post(service, other, surface));
  });

  test('the response is the same for every verdict', async () => {
    const spam = JSON.stringify({
      name: 'http://spam.example www.spam.example',
      email: 'not an address',
      company: 'http://x',
    });
    const answer = await post(service, sender, surface, spam);
    expect(answer.status).toBe(202);
    const { json } = await service.api(
      'GET',
      `/workspaces/${sender.workspaceId}/leads/${submissionIdOf(answer)}`,
    );
    expect(json.verdict).toBe('spam');
    expect(json.reasons.map(({ code }: { code: string }) => code)).toContain('EMAIL_INVALID');
  });
});

function bodyOf(size: number): string {
  const frame = '{"text":""}';
  return `{"text":"${'x'.repeat(size - frame.length)}"}`;
}
