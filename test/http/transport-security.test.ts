import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../bench/port.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test.each([
  ['https://leads.example.com', 'max-age=31536000'],
  ['http://leads.example.com', null],
])(
  'with PUBLIC_URL %s, pages have Strict-Transport-Security: %s, and ingest responses never have it',
  async (publicUrl, expected) => {
    const port = String(await freePort());
    const own = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { PUBLIC_URL: publicUrl, PORT: port },
      webApp: inject('webApp'),
      docsSite: inject('docsSite'),
    });
    const local = { ...own, url: `http://127.0.0.1:${port}` };
    const sender = await createSender(service);
    const paths = [
      '/',
      '/sign-in',
      '/assets/none.js',
      '/docs',
      '/docs/none',
      '/livez',
      '/readyz',
      '/metrics',
    ];
    const calls = [
      '/api/v1/me',
      '/api/v1/setup',
      '/api/none',
      '/api/openapi.json',
      '/api/reference',
      '/api/auth/get-session',
    ];
    for (const path of [...paths, ...calls]) {
      const { headers } = await fetch(local.url + path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, expected]);
    }
    const posted = await fetch(`${local.url}/sign-in`, { method: 'POST' });
    const answers = [posted, await fetch(`${local.url}/docs`, { method: 'POST' })];
    for (const { headers } of answers) expect(headers.get('strict-transport-security')).toBe(expected);
    const unreadable = await fetch(`${local.url}/api/v1/me`, { headers: { Authorization: 'Bearer wrong' } });
    expect(unreadable.headers.get('strict-transport-security')).toBe(expected);
    const accepted = await eventually(
      () => post(local, sender, 'server'),
      ({ status }) => status === 202,
    );
    const rejected = await post(local, sender, 'server', '{');
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.headers)).toEqual(Object.keys(rejected.headers));
    expect(accepted.headers['strict-transport-security']).toBeUndefined();
    await own.stop();
  },
);
