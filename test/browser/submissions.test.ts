import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dummyFormIds, dummyWorkspaceId } from '../../src/domain/browser/dummy-keys.ts';
import { mintSecretKey } from '../../src/domain/browser/signing-keys.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { type Answer, createSender, expectRejected, someLead, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type PageOptions, type PageSender, Pages, pageOrigin, type Settings, signingKeys } from './pages.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pages: Pages;
let page: PageSender;

beforeAll(async () => {
  service = await startTestService({ clock });
  pages = new Pages(service);
  page = await pages.setUp(await createSender(service));
});
afterAll(async () => {
  await pages.close();
  await service.stop();
});

const newPage = async (settings: Partial<Settings> = {}) =>
  pages.setUp(await createSender(service), settings);
const reasonOf = async (sender: PageSender, answer: Answer): Promise<string> => {
  const query = `?request_id=${answer.headers['x-request-id']}`;
  const { items } = await eventually(
    () => diagnosticsOf(service, sender, query),
    (found) => found.items.length > 0,
  );
  expect(items[0]).toMatchObject({ surface: 'browser', form_id: sender.formId });
  return items[0].reason;
};
const unattributed = async (): Promise<Record<string, number>> => {
  const { json } = await service.api('GET', '/operator/unattributed');
  const items: { reason: string; surface: string; count: number }[] = json.items;
  return Object.fromEntries(
    items.filter(({ surface }) => surface === 'browser').map(({ reason, count }) => [reason, count]),
  );
};

test('a lead of a web page is stored on the browser surface, scored, and counted for its form', async () => {
  const own = await newPage();
  const answer = await pages.post(own);
  expect(answer.status).toBe(202);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  const [lead] = await leadsOf(service, own);
  expect(lead).toMatchObject({ submission_id: submissionIdOf(answer), surface: 'browser' });
  const { totals } = await eventually(
    () => diagnosticsOf(service, own, '?surface=browser'),
    (found) => found.totals.accepted > 0,
  );
  expect(totals.accepted).toBe(1);
});

describe('origins', () => {
  const allowed = [
    pageOrigin,
    'https://shop.example.com:8443',
    'https://xn--bcher-kva.example',
    'https://*.example.org',
  ];
  let own: PageSender;
  beforeAll(async () => {
    own = await newPage({ origins: allowed });
  });
  const other = 'origin_not_allowed';
  test.each<[string, string | null, string | null]>([
    ['the origin itself', pageOrigin, null],
    ['its port', 'https://shop.example.com:8443', null],
    ['an international name in punycode', 'https://xn--bcher-kva.example', null],
    ['one label of a wildcard', 'https://a.example.org', null],
    ['no origin', null, 'origin_missing'],
    ['the origin null', 'null', 'origin_missing'],
    ['another site', 'https://evil.test', other],
    ['another scheme', 'http://www.example.com', other],
    ['another port', 'https://www.example.com:8443', other],
    ['no port', 'https://shop.example.com', other],
    ['a suffix trick', 'https://www.example.com.evil.test', other],
    ['upper case', 'https://WWW.EXAMPLE.COM', other],
    ['a path', 'https://www.example.com/', other],
    ['two labels of a wildcard', 'https://a.b.example.org', other],
    ['no label of a wildcard', 'https://example.org', other],
  ])('%s', async (_, origin, reason) => {
    const claims = { origin: origin ?? pageOrigin };
    const answer = await pages.post(own, someLead, { claims, origin });
    if (reason === null) expect(answer.status).toBe(202);
    else {
      expectRejected(answer);
      expect(await reasonOf(own, answer)).toBe(reason);
    }
  });

  test('an allowed origin that is not the one of the token is rejected', async () => {
    const answer = await pages.post(own, someLead, { origin: 'https://shop.example.com:8443' });
    expectRejected(answer);
    expect(await reasonOf(own, answer)).toBe(other);
  });

  test('an origin that is sent twice is missing', async () => {
    const options = { origin: null, headers: { Origin: [pageOrigin, pageOrigin] } };
    expect(await reasonOf(own, await pages.post(own, someLead, options))).toBe('origin_missing');
  });

  test('localhost is allowed at any port until its time ends', async () => {
    const local = await newPage({ localhostUntil: new Date(clock.now() + minuteMs) });
    const origin = 'http://localhost:5173';
    expect((await pages.post(local, someLead, { origin, claims: { origin } })).status).toBe(202);
    await pages.change(local, { localhostUntil: new Date(clock.now()) });
    expectRejected(await pages.post(local, someLead, { origin, claims: { origin } }));
  });
});

type Provoke = (own: PageSender) => Promise<Answer>;
const withSettings =
  (settings: Partial<Settings>): Provoke =>
  async (own) => {
    await pages.change(own, settings);
    return pages.post(own);
  };
const sending =
  (options: (own: PageSender) => PageOptions, body = someLead): Provoke =>
  (own) =>
    pages.post(own, body, options(own));
const now = () => Math.floor(clock.now() / 1000);

const attributed: Record<string, Provoke> = {
  method_not_allowed: sending(() => ({ method: 'PUT' })),
  body_too_large: sending(() => ({}), 'x'.repeat(131_073)),
  encoding_unsupported: sending(() => ({ headers: { 'Content-Encoding': 'br' } })),
  token_wrong_type: sending(({ token }) => ({ token })),
  form_unknown: sending((own) => ({
    key: mintSecretKey(own.mintSecret),
    claims: { formId: '11111111-2222-4333-8444-555555555555' },
  })),
  token_form_mismatch: async (own) => {
    const { formId, workspaceId } = page;
    return pages.post(own, someLead, { key: mintSecretKey(own.mintSecret), claims: { formId, workspaceId } });
  },
  workspace_suspended: async (own) => {
    await service.api('PATCH', `/workspaces/${own.workspaceId}`, { status: 'suspended' });
    return pages.post(own);
  },
  form_inactive: async (own) => {
    await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { active: false });
    return pages.post(own);
  },
  browser_disabled: withSettings({ enabled: false }),
  token_revoked: withSettings({ epoch: 2 }),
  origin_missing: sending(() => ({ origin: null })),
  origin_not_allowed: withSettings({ origins: ['https://other.example'] }),
  token_expired: sending(() => ({ claims: { issuedAt: now() - 120, expiresAt: now() } })),
  token_body_mismatch: sending(() => ({ claims: { bodyHash: randomBytes(32) } })),
  content_type_unsupported: sending(() => ({ headers: { 'Content-Type': 'text/plain' } })),
  body_not_json: sending(() => ({}), 'not json'),
  body_not_object: sending(() => ({}), '[]'),
  token_replayed: async (own) => {
    const jti = randomBytes(16);
    await pages.post(own, someLead, { claims: { jti } });
    return pages.post(own, '{"another":"body"}', { claims: { jti } });
  },
};

describe('every reason reaches the diagnostics of the form, and the response is the same', () => {
  test.each(Object.entries(attributed))('%s', async (reason, provoke) => {
    const own = await newPage();
    const answer = await provoke(own);
    expectRejected(answer);
    expect(Object.keys(answer.headers).toSorted()).toEqual(
      expect.arrayContaining([
        'access-control-allow-origin',
        'content-length',
        'content-type',
        'x-request-id',
      ]),
    );
    expect(await reasonOf(own, answer)).toBe(reason);
  });
});

describe('what proves nothing is counted for operators only', () => {
  const flipped = (token: string) =>
    token.slice(0, -3) + (token.at(-3) === 'A' ? 'B' : 'A') + token.slice(-2);
  test.each<[string, string, () => PageOptions]>([
    ['no token', 'token_missing', () => ({ headers: { Authorization: '' } })],
    ['a cut token', 'token_malformed', () => ({ token: pages.token(page).slice(0, -9) })],
    ['a changed signature', 'token_unknown', () => ({ token: flipped(pages.token(page)) })],
    [
      'the key of another workspace',
      'token_unknown',
      () => ({ key: signingKeys.current('tokens', dummyWorkspaceId) }),
    ],
    ['a mint secret that nobody has', 'token_unknown', () => ({ key: mintSecretKey('ingt_mint_x') })],
    ['an API key', 'token_wrong_type', () => ({ token: 'lgk_x' })],
    ['a public key', 'token_wrong_type', () => ({ token: page.publicKey })],
  ])('%s', async (_, reason, options) => {
    const before = (await unattributed())[reason] ?? 0;
    expectRejected(await pages.post(page, someLead, options()));
    const counts = await eventually(unattributed, (found) => (found[reason] ?? 0) > before);
    expect(counts[reason]).toBe(before + 1);
    const { by_reason } = await diagnosticsOf(service, page, '?surface=browser');
    expect(by_reason).toEqual([]);
  });
});

test('100 parallel uses of a token are one lead with 100 equal answers, and other bytes are none', async () => {
  const own = await newPage();
  const token = pages.token(own, someLead, { claims: { bodyHash: null } });
  const answers = await Promise.all(Array.from({ length: 100 }, () => pages.post(own, someLead, { token })));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(202);
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, n) => pages.post(own, JSON.stringify({ n }), { token })),
  );
  for (const answer of [...others, await pages.post(own, 'not json', { token })]) expectRejected(answer);
  expect((await leadsOf(service, own)).length).toBe(1);
  const { by_reason } = await eventually(
    () => diagnosticsOf(service, own),
    ({ by_reason: found }) => found[0]?.count === 21,
  );
  expect(by_reason).toEqual([expect.objectContaining({ reason: 'token_replayed', count: 21 })]);
});

test('parallel uses of a token with different bodies make one lead', async () => {
  const own = await newPage();
  const token = pages.token(own, someLead, { claims: { bodyHash: null } });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => pages.post(own, JSON.stringify({ n }), { token })),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect((await leadsOf(service, own)).length).toBe(1);
});

test('an idempotency key is ignored: two tokens are two leads', async () => {
  const own = await newPage();
  const headers = { 'X-SVC-Idempotency-Key': 'same' };
  for (let n = 0; n < 2; n++) expect((await pages.post(own, someLead, { headers })).status).toBe(202);
  expect((await leadsOf(service, own)).length).toBe(2);
});

test('a mint secret signs tokens, the previous one until its overlap ends', async () => {
  const own = await newPage({ previousMintSecretValidUntil: new Date(clock.now() + minuteMs) });
  const by = (secret: string) => pages.post(own, someLead, { key: mintSecretKey(secret) });
  expect((await by(own.mintSecret)).status).toBe(202);
  expect((await by(own.previousMintSecret)).status).toBe(202);
  await pages.change(own, { previousMintSecretValidUntil: new Date(clock.now()) });
  expect((await by(own.mintSecret)).status).toBe(202);
  expect(await reasonOf(own, await by(own.previousMintSecret))).toBe('token_revoked');
});

test('a token that is issued too far in the future is not valid yet', async () => {
  const ahead = (seconds: number) =>
    pages.post(page, someLead, { claims: { issuedAt: now() + seconds, expiresAt: now() + seconds + 60 } });
  expect((await ahead(60)).status).toBe(202);
  expectRejected(await ahead(62));
});

test('tokens of dummy keys are answered like others, and nothing is stored', async () => {
  const key = signingKeys.current('tokens', dummyWorkspaceId);
  const as = (formId: string, options: PageOptions = {}) =>
    pages.post(page, someLead, { key, claims: { formId, workspaceId: dummyWorkspaceId }, ...options });
  const before = await unattributed();
  const [one, two] = [await as(dummyFormIds.accepted), await as(dummyFormIds.accepted)];
  expect([one.status, two.status]).toEqual([202, 202]);
  expect(submissionIdOf(one)).not.toBe(submissionIdOf(two));
  expectRejected(await as(dummyFormIds.accepted, { origin: null }));
  expectRejected(await as(dummyFormIds.rejected));
  const { rows } = await pages.pool.query('select 1 from leads where submission_id = any ($1::uuid[])', [
    [submissionIdOf(one), submissionIdOf(two)],
  ]);
  expect(rows).toEqual([]);
  expect(await unattributed()).toEqual(before);
});
