import { afterAll, beforeAll, expect, test } from 'vitest';
import { urlRefusals } from '../../../src/net/delivery/guard.ts';
import { hostileUrls } from '../../enrich/hostile-urls.ts';
import { TestInternet } from '../../support/egress.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace } from '../leads/seed.ts';
import { createDestination, newDestination, someUrl } from './some-deliveries.ts';

let service: TestService;
let internet: TestInternet;
let path: string;
let destinationId: string;

beforeAll(async () => {
  internet = await new TestInternet().start();
  internet.names.zones.set('inside-public.com', { addresses: ['10.0.0.1'] });
  service = await startTestService({ egress: internet });
  const workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
  destinationId = (await createDestination(service, workspaceId)).id;
});
afterAll(async () => {
  await service.stop();
  await internet.stop();
});

const sentences = Object.values(urlRefusals).map((sentence) => sentence.replace(/\.$/, ''));
const port = () => new URL(service.url).port;
/** A public address is a valid URL here, unlike for home pages, and white space around a URL is left out. */
const isRefusedHere = (url: string) => !/^https:\/\/\[2606:|^https:\/\/acme-public\.com:8443/.test(url);
const refused = [
  ...hostileUrls.filter(isRefusedHere),
  'https://inside-public.com/',
  'http://acme-public.com/',
  'https://127.0.0.1:PORT/api/v1/me',
  `https://acme-public.com/${'a'.repeat(2_048)}`,
];

test.each(refused)(
  '%s is refused when it is checked, saved and changed to, with a sentence',
  async (text) => {
    const url = text.replaceAll('PORT', port());
    const created = await service.api('POST', path, { ...newDestination, url });
    const changed = await service.api('PATCH', `${path}/${destinationId}`, { url });
    const checked = await service.api('POST', `${path}/check`, { ...newDestination, url });
    expect(checked.json.errors).toEqual(created.json.errors);
    for (const { status, json } of [created, changed]) {
      expect([status, json.errors?.[0].field]).toEqual([422, 'url']);
      expect([...sentences, 'must not be empty']).toContain(json.errors[0].message);
      expect(json.detail).toMatch(/[^.]\.$/);
    }
    expect((await service.api('GET', `${path}/${destinationId}`)).json).toMatchObject({
      url: someUrl,
      version: 1,
    });
    expect(internet.dialled).toEqual([]);
  },
);

test('a host that does not resolve yet can be saved', async () => {
  const url = 'https://not-yet-public.com/leads';
  const before = (await service.api('GET', path)).json.items;
  expect((await service.api('POST', `${path}/check`, { ...newDestination, url })).status).toBe(204);
  expect((await service.api('GET', path)).json.items).toEqual(before);
  const { status, json } = await service.api('POST', path, { ...newDestination, url });
  expect([status, json.url]).toEqual([201, url]);
});
