import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBrowserToken } from '../../src/domain/browser/browser-token.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { elsewhere, exchanged, expectRefused, type PageForm, PageWorld, pageOrigin } from './page-world.ts';

/**
 * Stand-ins for the two services, written from their documentation and not compared with the real ones. Both take a form
 * with `secret` and `response`, and respond 200 with `success`; a response of the widget can be used once. Turnstile returns
 * its first result again for the same `idempotency_key`.
 */
class StandIn {
  readonly asked: URLSearchParams[] = [];
  reply: (fields: URLSearchParams) => object = () => ({});
  /** Replaces the response as a whole. */
  raw: ((response: ServerResponse) => void) | null = null;
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const fields = new URLSearchParams(body);
      this.asked.push(fields);
      if (this.raw !== null) return this.raw(response);
      response.setHeader('Content-Type', 'application/json');
      return response.end(JSON.stringify(this.reply(fields)));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/siteverify?v=0`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const standIns = { turnstile: new StandIn(), hcaptcha: new StandIn() };
const host = new URL(pageOrigin).hostname;
const captcha = { siteKey: 'site-key', secret: 'secret of the owner' };
let service: TestService;
let pages: PageWorld;
const forms = {} as Record<keyof typeof standIns, PageForm>;
beforeAll(async () => {
  service = await startTestService({
    env: {
      TRUST_PROXY: '1',
      CAPTCHA_TURNSTILE_URL: await standIns.turnstile.start(),
      CAPTCHA_HCAPTCHA_URL: await standIns.hcaptcha.start(),
    },
  });
  pages = new PageWorld(service);
  forms.turnstile = await pages.createForm({ protection: 'turnstile', captcha });
  forms.hcaptcha = await pages.createForm({ protection: 'hcaptcha', captcha });
});
afterAll(async () => {
  standIns.turnstile.stop();
  standIns.hcaptcha.stop();
  await pages.close();
  await service.stop();
});
beforeEach(() => {
  for (const standIn of Object.values(standIns)) {
    standIn.asked.length = 0;
    standIn.raw = null;
  }
});

describe.each(['turnstile', 'hcaptcha'] as const)('%s', (provider) => {
  const standIn = standIns[provider];
  const confirmed = {
    success: true,
    hostname: host,
    challenge_ts: '2026-11-17T09:00:00Z',
    'error-codes': [],
  };
  const tokenWith = async (reply: unknown) => {
    standIn.reply = () => reply as object;
    return pages.token(forms[provider], elsewhere(), { captcha: 'response of the widget' });
  };

  test('a visitor that it confirms gets a token, and it learns nothing but what it must', async () => {
    const given = await pages.challenge(forms[provider], elsewhere());
    expect(given).toMatchObject({ bits: 0, captcha: { provider, site_key: 'site-key' } });
    standIn.reply = () => confirmed;
    const body = { ...exchanged(given, '0'), captcha: 'response of the widget' };
    const answer = await pages.ask('tokens', body, elsewhere());
    expect(answer.status).toBe(201);
    expect(readBrowserToken(JSON.parse(answer.body).token)?.claims.proof).toBe(provider);
    const own =
      provider === 'turnstile'
        ? {
            idempotency_key: expect.stringMatching(
              /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
            ),
          }
        : { sitekey: 'site-key' };
    expect(standIn.asked.map((fields) => Object.fromEntries(fields))).toEqual([
      { secret: captcha.secret, response: 'response of the widget', ...own },
    ]);
    // Spent, so the third party is not asked again.
    expectRefused(await pages.ask('tokens', body, elsewhere()));
    expect(standIn.asked).toHaveLength(1);
  });

  test.each([
    ['it does not confirm', { success: false, 'error-codes': ['invalid-input-response'] }],
    ['used the response before', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
    ['was confirmed on another page', { ...confirmed, hostname: 'evil.test' }],
    ['was confirmed on a page below ours', { ...confirmed, hostname: `a.${host}` }],
    ['was confirmed nowhere', { success: true }],
    ['is confirmed by a text', { ...confirmed, success: 'true' }],
    ['gets a list', [confirmed]],
    ['gets nothing', null],
  ])('a visitor that %s gets no token', async (_, reply) => {
    expectRefused(await tokenWith(reply));
  });

  test.each([
    ['is no JSON', (response: ServerResponse) => response.end('<html>')],
    [
      'is too long',
      (response: ServerResponse) => response.end(JSON.stringify({ ...confirmed, x: 'x'.repeat(20_000) })),
    ],
    [
      'is cut',
      (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Length': 500 }).write('{"success":') && response.destroy(),
    ],
    ['is a closed connection', (response: ServerResponse) => response.destroy()],
    [
      'is a redirect',
      (response: ServerResponse) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['never comes', () => {}],
  ])('a response that %s gives no token', async (_, raw) => {
    standIn.raw = raw;
    expectRefused(await pages.token(forms[provider], elsewhere(), { captcha: 'response of the widget' }));
  });

  test.each([undefined, null, '', 7, ['x']])(
    'it is not asked about a page that sends %j instead of its response',
    async (response) => {
      expectRefused(await pages.token(forms[provider], elsewhere(), { captcha: response }));
      expect(standIn.asked).toEqual([]);
    },
  );

  test('a challenge from before the form had this protection does not get around it', async () => {
    const own = await pages.createForm();
    const given = await pages.challenge(own, elsewhere());
    await pages.set(own, { protection: provider, captcha });
    expectRefused(await pages.ask('tokens', exchanged(given, '0'), elsewhere()));
  });
});

test('the action of Turnstile is checked if there is one', async () => {
  const standIn = standIns.turnstile;
  const statuses = [];
  for (const action of ['leadgate', '', 'login', 'LEADGATE', 7]) {
    standIn.reply = () => ({ success: true, hostname: host, action });
    statuses.push((await pages.token(forms.turnstile, elsewhere(), { captcha: 'x' })).status);
  }
  expect(statuses).toEqual([201, 201, 403, 403, 403]);
});

test('a form whose captcha secret cannot be read gives no challenges', async () => {
  const own = await pages.createForm({ protection: 'turnstile' });
  expectRefused(await pages.ask('challenges', { key: own.key, body_hash: '0'.repeat(64) }, elsewhere()));
});
