import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createSdkFiles } from '../../src/http/site/sdk-files.ts';
import { loadBuild } from '../../src/http/site/static-files.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ sdk: inject('sdk') });
});
afterAll(() => service.stop());

const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, init);
const builtScript = () => createSdkFiles(loadBuild(Promise.resolve(inject('sdk'))), {}).script();

test.each(['/sdk/v1.js', '/sdk/v1.mjs'])(
  'pages of every origin may load %s, for five minutes',
  async (path) => {
    const response = await get(path, { headers: { Origin: 'https://www.example.com' } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  },
);

test('the script is also served under a name with its hash, permanently and with the integrity that is told', async () => {
  const { hashedPath, integrity } = (await builtScript()) ?? { hashedPath: '', integrity: '' };
  expect(hashedPath).toMatch(/^\/sdk\/v1\.[0-9a-f]{12}\.js$/);
  const response = await get(hashedPath);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const script = await response.text();
  expect(integrity).toBe(`sha384-${createHash('sha384').update(script).digest('base64')}`);
  expect(await (await get('/sdk/v1.js')).text()).toBe(script);
});

test('the script is compressed for browsers that accept it', async () => {
  const response = await get('/sdk/v1.js', { headers: { 'accept-encoding': 'br' } });
  expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
    'br',
    'Accept-Encoding',
  ]);
});

test('the types are served beside it', async () => {
  const response = await get('/sdk/v1.d.ts');
  expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await response.text()).toContain('export declare function leadgate');
});

test('HEAD has the headers only', async () => {
  const response = await get('/sdk/v1.js', { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
});

test.each(['/sdk', '/sdk/', '/sdk/v2.js', '/sdk/v1.000000000000.js', '/sdk/..%2f..%2fpackage.json'])(
  '%s is not found, and never the page of the settings area',
  async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([404, '']);
  },
);

test('nothing can be posted to the SDK', async () => {
  expect((await get('/sdk/v1.js', { method: 'POST' })).status).toBe(404);
});

test('an instance that only accepts leads serves it too, because pages load it from where they send them', async () => {
  const ingest = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { ROLE: 'ingest' },
    sdk: inject('sdk'),
  });
  expect((await fetch(`${ingest.url}/sdk/v1.js`)).status).toBe(200);
  await ingest.stop();
});

test('without a build, the service says how to get one', async () => {
  const none = await startTestService({ databaseUrl: service.databaseUrl });
  const response = await fetch(`${none.url}/sdk/v1.js`);
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining('npm run build:sdk'),
  ]);
  await none.stop();
});
