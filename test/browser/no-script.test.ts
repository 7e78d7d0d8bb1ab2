import { afterAll, beforeAll, expect, test } from 'vitest';
import { noScriptPerNetworkAndHourMax } from '../../src/domain/browser/protection.ts';
import { hourMs } from '../../src/time/clock.ts';
import { HeldWorld } from '../held/held-world.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { type Answer, createSender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type PageSender, Pages, type Settings, thanksUrl } from './pages.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pages: Pages;
let held: HeldWorld;

beforeAll(async () => {
  service = await startTestService({ clock, env: { TRUST_PROXY: '1' } });
  pages = new Pages(service);
  held = new HeldWorld(service);
});
afterAll(async () => {
  await held.pool.end();
  await pages.close();
  await service.stop();
});

const newPage = async (settings: Partial<Settings> = {}) =>
  pages.setUp(await createSender(service), settings);
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
function expectThanked(answer: Answer): void {
  const { location, 'access-control-allow-origin': readers } = answer.headers;
  expect([answer.status, location, answer.body, readers]).toEqual([303, thanksUrl, '', '*']);
}
const reasonsOf = async (own: PageSender, count: number) => {
  const { by_reason } = await eventually(
    () => diagnosticsOf(service, own, '?surface=browser'),
    ({ by_reason: found }) =>
      found.reduce((sum: number, one: { count: number }) => sum + one.count, 0) >= count,
  );
  return Object.fromEntries(
    by_reason.map(({ reason, count: times }: { reason: string; count: number }) => [reason, times]),
  );
};
const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const multipart = (parts: string, type = `multipart/form-data; boundary=${boundary}`) => ({
  body: parts.replaceAll('\n', '\r\n').replaceAll('BOUNDARY', boundary),
  options: { headers: { 'Content-Type': type } },
});

test('a form without script becomes a lead, and the visitor sees the page of its owner', async () => {
  const own = await newPage();
  expectThanked(
    await pages.submit(own.publicKey, 'name=Ada+Lovelace&email=ada%40engines.io&topic=a&topic=b'),
  );
  const [lead] = await leadsOf(service, own);
  expect(lead).toMatchObject({
    surface: 'browser',
    fields: { name: 'Ada Lovelace', email: 'ada@engines.io', topic: ['a', 'b'] },
  });
  expect(lead.reasons).toContainEqual(expect.objectContaining({ code: 'BROWSER_UNPROVEN', points: 15 }));
});

test('a multipart form becomes a lead with the names of its files', async () => {
  const own = await newPage();
  const { body, options } = multipart(
    '--BOUNDARY\nContent-Disposition: form-data; name="name"\n\nAda Löwe\n--BOUNDARY\n' +
      'Content-Disposition: form-data; name="cv"; filename="cv.pdf"\nContent-Type: application/pdf\n\n%PDF\n\n--BOUND\n' +
      '--BOUNDARY--\n',
  );
  expectThanked(await pages.submit(own.publicKey, body, options));
  expect((await leadsOf(service, own))[0].fields).toEqual({ name: 'Ada Löwe', cv: 'cv.pdf' });
});

test('a double click is one lead, even if the browser chooses another boundary', async () => {
  const own = await newPage();
  await Promise.all(Array.from({ length: 5 }, () => pages.submit(own.publicKey, 'name=Ada')));
  const { body, options } = multipart(
    '--BOUNDARY\nContent-Disposition: form-data; name="name"\n\nAda\n--BOUNDARY--\n',
  );
  expectThanked(await pages.submit(own.publicKey, body, options));
  expect(await leadsOf(service, own)).toHaveLength(1);
  expectThanked(await pages.submit(own.publicKey, 'name=Ada', from('203.0.113.9')));
  expect(await leadsOf(service, own)).toHaveLength(2);
});

test('an unknown key and a form that takes nothing without script are refused with the same bytes', async () => {
  const [off, disabled, noUrl] = [
    await newPage({ noScript: false }),
    await newPage({ enabled: false }),
    await newPage({ thanksUrl: null }),
  ];
  const keys = ['', 'ingt_pub_unknown', off.publicKey, disabled.publicKey, noUrl.publicKey];
  for (const key of keys) {
    const answer = await pages.submit(key, 'name=Ada');
    expect([answer.status, answer.body]).toEqual([403, '{"status":"refused"}']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  }
  expect(await reasonsOf(off, 1)).toEqual({ browser_disabled: 1 });
});

test('whatever is wrong, the visitor is thanked and the owner is told', async () => {
  const own = await newPage();
  const key = own.publicKey;
  const bad = (parts: string, type?: string) => {
    const { body, options } = multipart(parts, type);
    return pages.submit(key, body, options);
  };
  const answers = [
    await pages.submit(key, 'a=1', { origin: null }),
    await pages.submit(key, 'a=1', { origin: 'null' }),
    await pages.submit(key, 'a=1', { origin: 'https://evil.test' }),
    await pages.submit(key, 'a=1', { method: 'PUT' }),
    await pages.submit(key, `a=${'x'.repeat(131_072)}`),
    // Escaped as JSON it is too large.
    await pages.submit(key, `a=${'%01'.repeat(40_000)}`),
    await pages.submit(key, 'a=1', { headers: { 'Content-Encoding': 'gzip' } }),
    await pages.submit(key, '{"a":1}', { headers: { 'Content-Type': 'application/json' } }),
    await bad('--OTHER\nContent-Disposition: form-data; name="a"\n\n1\n--OTHER--\n'),
    await bad('--BOUNDARY\nContent-Disposition: form-data; name="a"\n\n1\n'),
    await bad('--BOUNDARY\nContent-Disposition: attachment\n\n1\n--BOUNDARY--\n'),
    await bad('--BOUNDARY\n\n1\n--BOUNDARY--\n'),
    await bad(`--BOUNDARY\nX-A: ${'x'.repeat(5_000)}\n\n1\n--BOUNDARY--\n`),
    await bad(
      '--BOUNDARY\nContent-Disposition: form-data; name="a"\n\n1\n--BOUNDARY--\n',
      'multipart/form-data',
    ),
  ];
  for (const answer of answers) expectThanked(answer);
  expect(await reasonsOf(own, answers.length)).toEqual({
    origin_missing: 2,
    origin_not_allowed: 1,
    method_not_allowed: 1,
    body_too_large: 2,
    encoding_unsupported: 1,
    content_type_unsupported: 1,
    body_not_json: 6,
  });
  expect(await leadsOf(service, own)).toEqual([]);
});

test('a form of nearly 128 KB becomes a lead', async () => {
  const own = await newPage();
  const message = 'x'.repeat(131_000);
  expectThanked(await pages.submit(own.publicKey, `message=${message}`));
  expect((await leadsOf(service, own))[0].fields).toEqual({ message });
});

test('a network that sends too much is held, the others are not affected, and the next hour starts again', async () => {
  const own = await newPage();
  for (let n = 0; n < noScriptPerNetworkAndHourMax + 2; n++)
    expectThanked(await pages.submit(own.publicKey, `n=${n}`, from('203.0.113.1')));
  expect(await leadsOf(service, own)).toHaveLength(noScriptPerNetworkAndHourMax);
  const rows = await held.waitFor(own, 2);
  expect(rows.map(({ reason, class: kind, surface }) => [reason, kind, surface])).toEqual([
    ['mint_limited', 'A', 'browser'],
    ['mint_limited', 'A', 'browser'],
  ]);
  await pages.submit(own.publicKey, 'n=other', from('203.0.113.2'));
  clock.advance(hourMs);
  await pages.submit(own.publicKey, 'n=later', from('203.0.113.1'));
  expect(await leadsOf(service, own)).toHaveLength(noScriptPerNetworkAndHourMax + 2);
  const admission = `/workspaces/${own.workspaceId}/held/${rows[0]?.id}/admission`;
  const { json } = await service.api('POST', admission, {});
  const { json: lead } = await service.api(
    'GET',
    `/workspaces/${own.workspaceId}/leads/${json.submission_id}`,
  );
  expect(lead.reasons).toContainEqual(expect.objectContaining({ code: 'BROWSER_UNPROVEN' }));
});
