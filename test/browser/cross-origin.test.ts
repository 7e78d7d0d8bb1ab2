import { afterAll, beforeAll, expect, test } from 'vitest';
import { ShiftedClock } from '../support/clocks.ts';
import { metricOf } from '../support/diagnostics.ts';
import { exchange, spokenAndEnded } from '../support/http/wire.ts';
import { send } from '../support/sender.ts';
import { elsewhere, type PageForm, PageWorld, pageOrigin, refusedBody } from './page-world.ts';

const clock = new ShiftedClock();
let pages: PageWorld;
let form: PageForm;
beforeAll(async () => {
  pages = await PageWorld.start(clock);
  form = await pages.createForm();
});
afterAll(() => pages.stop());

test('a preflight gets the same response on every path, whether it exists or not', async () => {
  const paths = ['challenges', 'tokens', 'submissions', `forms/${form.key}`, 'forms/none', 'none', ''];
  const answers = await Promise.all(
    paths.flatMap((path) =>
      [pageOrigin, 'https://evil.test', 'null'].map((origin) =>
        send(`${pages.service.url}/api/v1/browser/${path}`, 'OPTIONS', { Origin: origin }, ''),
      ),
    ),
  );
  for (const { status, body, headers } of answers) {
    const { date: _, ...others } = headers;
    expect({ status, body, headers: others }).toEqual({
      status: 204,
      body: '',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'X-Request-Id',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization, content-type',
        'access-control-max-age': '600',
        connection: 'keep-alive',
        'keep-alive': 'timeout=65',
      },
    });
  }
});

test('a path that does not exist, and a request that cannot be parsed, have the headers too', async () => {
  const missing = await send(
    `${pages.service.url}/api/v1/browser/none`,
    'POST',
    { Origin: pageOrigin },
    '{}',
  );
  expect(missing).toMatchObject({ status: 404, body: '{"status":"not_found"}' });
  expect(missing.headers['access-control-allow-origin']).toBe('*');
  const request = 'POST /api/v1/browser/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: one\r\n\r\n';
  const raw = await exchange(pages.service.url, request);
  expect(raw).toMatch(/^HTTP\/1\.1 403 Forbidden\r\nAccess-Control-Allow-Origin: \*\r\n/);
  expect(raw).toContain(refusedBody);
});

test('a lead that is no valid HTTP is rejected, and counted on the surface it was for', async () => {
  const rejected = async (path: string) => {
    const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: one\r\n\r\n`;
    const raw = await exchange(pages.service.url, request);
    expect(raw).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(raw).toContain('{"status":"rejected"}');
    return raw;
  };
  expect(await rejected('/api/v1/browser/submissions')).toContain('Access-Control-Allow-Origin: *');
  for (let n = 0; n < 2; n++) await rejected('/api/v1/ingest/contact');
  for (let n = 0; n < 3; n++) await rejected('/api/v1/ingest');
  const counts = await Promise.all(
    ['browser', 'webhook', 'server'].map((surface) =>
      metricOf(
        pages.service,
        `leadgate_ingest_requests_total{surface="${surface}",outcome="encoding_unsupported"}`,
      ),
    ),
  );
  expect(counts).toEqual([1, 2, 3]);
});

test('a body that its sender never finishes gets no response and holds up nobody', async () => {
  const head = `POST /api/v1/browser/challenges HTTP/1.1\r\nHost: x\r\nOrigin: ${pageOrigin}\r\n`;
  const cut = spokenAndEnded(pages.service.url, `${head}Content-Length: 100\r\n\r\n{"key":`);
  expect((await pages.token(form, elsewhere())).status).toBe(201);
  expect(await cut).toBe('');
});
