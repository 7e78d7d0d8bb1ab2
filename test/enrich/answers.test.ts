import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { externalProvider } from '../../src/enrich/providers/external/external.ts';
import { mx } from '../../src/enrich/providers/mail/mx.ts';
import type { LookupResult } from '../../src/enrich/providers/provider.ts';
import { site } from '../../src/enrich/providers/site/site.ts';
import { readInput } from '../../src/enrich/reading/input.ts';
import { TestInternet } from '../support/egress.ts';
import { ask, someExternal, someSettings } from './asking.ts';

let internet: TestInternet;

beforeAll(async () => {
  internet = await new TestInternet().start();
});
beforeEach(() => {
  internet.names.zones.clear();
  internet.names.failing.clear();
  internet.names.asked.length = 0;
  internet.requests.length = 0;
  internet.addHost('acme-public.com', 'www.acme-public.com', 'api.provider-public.com');
});
afterAll(() => internet.stop());

function valuesOf(result: LookupResult): Record<string, unknown> {
  if (result.kind !== 'found') throw new Error(`The result is ${JSON.stringify(result)}.`);
  // The first value of a field is the provider's most trusted one.
  return Object.fromEntries(result.fields.toReversed().map(({ path, value }) => [path, value]));
}

test.each([
  ['aspmx.l.google.com', 'Google Workspace'],
  ['acme-public-com.mail.protection.outlook.com', 'Microsoft 365'],
  ['mx.zoho.eu', 'Zoho Mail'],
  ['MX01.IONOS.DE.', 'IONOS'],
  ['mx.notgoogle.com', undefined],
  ['mail.acme-public.com', undefined],
])('email through %s goes to %s', async (exchange, provider) => {
  internet.names.zones.set('acme-public.com', { mx: [{ exchange, priority: 10 }] });
  const values = valuesOf(await ask(mx, internet));
  expect(values['company.mail.provider']).toBe(provider);
  expect(values['email.deliverability']).toBe('likely');
});

test('behind a mail filter, the mailbox shows in the SPF record', async () => {
  internet.names.zones.set('acme-public.com', {
    mx: [{ exchange: 'mx1.acme.iphmx.com', priority: 10 }],
    txt: ['google-site-verification=1', 'v=spf1 include:spf.protection.outlook.com -all'],
  });
  internet.names.zones.set('_dmarc.acme-public.com', { txt: ['v=DMARC1; p=quarantine; rua=mailto:a@b.de'] });
  expect(valuesOf(await ask(mx, internet))).toMatchObject({
    'company.mail.gateway': 'Cisco Secure Email',
    'company.mail.provider': 'Microsoft 365',
    'company.mail.spf': 'fail',
    'company.mail.dmarc': 'quarantine',
  });
});

test.each([
  [
    'a null MX record',
    { mx: [{ exchange: '', priority: 0 }], addresses: ['93.184.215.14'] },
    'undeliverable',
  ],
  ['neither an MX record nor an address', {}, 'undeliverable'],
  ['only an address', { addresses: ['93.184.215.14'] }, 'likely'],
])('a domain with %s is %s', async (_, zone, deliverability) => {
  internet.names.zones.set('acme-public.com', zone);
  expect(valuesOf(await ask(mx, internet))['email.deliverability']).toBe(deliverability);
});

test('a subdomain without a DMARC record follows its parent domain', async () => {
  internet.names.zones.set('_dmarc.acme-public.com', { txt: ['v=DMARC1;p=reject'] });
  const input = readInput({ email: 'ada@mail.acme-public.com' });
  expect(valuesOf(await ask(mx, internet, { input }))['company.mail.dmarc']).toBe('reject');
});

const page = `<!doctype html><html lang="en"><head><title>Home | Acme Tools</title>
  <meta name="description" content="Tools &amp; more.">
  <meta property="og:site_name" content="Acme">
  <link rel="icon" href="/favicon.ico"><link rel="apple-touch-icon" href="/touch.png">
  <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},
    {"@type":["Corporation"],"name":"Acme Inc.","legalName":"Acme Incorporated","logo":{"url":"/logo.svg"},
     "telephone":"+1 212 555 0100","address":{"@type":"PostalAddress","addressCountry":"USA","addressLocality":"New York"},
     "sameAs":["https://www.linkedin.com/company/acme","https://x.com/acme"]}]}</script></head>
  <body><a href="https://github.com/acme">Code</a><a href="https://twitter.com/share?x">Share</a></body></html>`;

test("a company's home page provides its name, address, logo and social pages", async () => {
  internet.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  const result = await ask(site, internet);
  expect(valuesOf(result)).toMatchObject({
    'company.name': 'Acme Inc.',
    'company.legal_name': 'Acme Incorporated',
    'company.description': 'Tools & more.',
    'company.logo': 'https://acme-public.com/logo.svg',
    'company.country': 'US',
    'company.city': 'New York',
    'company.phones': ['+1 212 555 0100'],
    'company.website': 'https://acme-public.com/',
    'company.socials.linkedin': 'https://www.linkedin.com/company/acme',
    'company.socials.x': 'https://x.com/acme',
    'company.socials.github': 'https://github.com/acme',
  });
  expect(internet.requests.map(({ host, url }) => host + url)).toEqual(['acme-public.com/']);
});

test('a company whose site is only at www is found there', async () => {
  internet.names.zones.set('acme-public.com', {});
  internet.handler = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Acme</title>');
  expect(valuesOf(await ask(site, internet))).toMatchObject({ 'company.name': 'Acme' });
  expect(internet.requests.map(({ host }) => host)).toEqual(['www.acme-public.com']);
});

test('a page is decoded in its declared charset', async () => {
  internet.handler = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      .end(Buffer.from('<title>Bücher</title>', 'latin1'));
  expect(valuesOf(await ask(site, internet))['company.name']).toBe('Bücher');
});

test.each([
  [404, {}, { kind: 'none' }],
  [503, { 'retry-after': '120' }, { kind: 'retry', why: 'the site responded with 503', afterMs: 120_000 }],
  [429, {}, { kind: 'retry', why: 'the site responded with 429' }],
])('a home page that responds with %i and %j gives %j', async (status, headers, result) => {
  internet.handler = (_, response) => response.writeHead(status, headers).end();
  expect(await ask(site, internet)).toEqual(result);
});

test('an external provider gets a signed request with the domain and nothing about the person', async () => {
  internet.handler = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"name":"Acme","phones":["1","2"],"address":{"city":"Bern"},"secret":"x"}');
  const result = await ask(someExternal, internet);
  expect(valuesOf(result)).toEqual({
    'company.name': 'Acme',
    'company.phones': ['1', '2'],
    'company.city': 'Bern',
  });
  const [request] = internet.requests;
  expect(request?.body).toBe('{"domain":"acme-public.com"}');
  expect(request?.headers.authorization).toBe('Bearer key-of-the-test');
  const timestamp = String(request?.headers['x-svc-timestamp']);
  const signature = sign(someSettings.signingSecret, timestamp, Buffer.from(request?.body ?? ''));
  expect(request?.headers['x-svc-signature']).toBe(`sha256=${signature.toString('hex')}`);
  expect(JSON.stringify(request)).not.toContain('ada@');
});

test('an owner can opt in to sending the email address as well, even at free email providers', async () => {
  internet.handler = (_, response) => response.writeHead(404).end();
  const provider = externalProvider({ ...someSettings, send: 'email' }, 'X-SVC-');
  const input = readInput({ email: 'Ada@gmail.com' });
  expect(provider.skip(input)).toBeNull();
  expect(someExternal.skip(input)).toBe('free_mail');
  expect(await ask(provider, internet, { input })).toEqual({ kind: 'none' });
  expect(internet.requests[0]?.body).toBe('{"domain":null,"email":"Ada@gmail.com"}');
  // Results about a person are not cached for others.
  expect(provider.cacheKey(input)).toBeNull();
});

test.each([
  [302, { location: 'https://acme-public.com/' }, 'fail'],
  [401, {}, 'fail'],
  [404, {}, 'none'],
  [429, { 'retry-after': '7' }, 'retry'],
  [500, {}, 'retry'],
])(
  'an external provider that responds with %i is not followed elsewhere: %j, %s',
  async (status, headers, kind) => {
    internet.handler = (_, response) => response.writeHead(status, headers).end();
    expect(await ask(someExternal, internet)).toMatchObject({ kind });
    expect(internet.requests).toHaveLength(1);
  },
);
