import { expect, test } from 'vitest';
import { AllowList } from './allow-list.ts';
import { DeliveryGuard, type UrlRefusal, urlRefusals } from './guard.ts';

const guardWith = (allow: string) =>
  new DeliveryGuard({
    allow: new AllowList(allow),
    ownPorts: () => [3000, 9464],
    publicUrl: 'https://leads.acme.com',
    databasePorts: [5432],
    ownAddresses: () => ['192.168.7.7', '2a00:1450::7', '203.0.114.9'],
  });

/** `saved` if a URL may be saved, else why not. */
function verdict(allow: string, url: string): UrlRefusal | 'saved' {
  const target = guardWith(allow).check(url);
  return typeof target === 'string' ? target : 'saved';
}

test.each([
  ['https://hooks.acme-public.com/leads?x=1', 'saved'],
  ['HTTPS://Hooks.ACME-public.com', 'saved'],
  ['https://acme-public.com:8443/', 'saved'],
  ['https://münchen.de/', 'saved'],
  ['https://93.184.215.14/', 'saved'],
  ['https://[2606:2800:220:1:248:1893:25c8:1946]/', 'saved'],
  [`https://acme-public.com/${'x'.repeat(2_024)}`, 'saved'],
  [`https://acme-public.com/${'x'.repeat(2_025)}`, 'url_too_long'],
  ['http://acme-public.com/', 'https_required'],
  ['ftp://acme-public.com/', 'scheme_not_allowed'],
  ['javascript:alert(1)', 'scheme_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['acme-public.com', 'not_a_url'],
  ['', 'not_a_url'],
  ['https:acme-public.com', 'not_a_url'],
  ['https:///acme-public.com', 'not_a_url'],
  ['https:\\\\acme-public.com', 'not_a_url'],
  [' https://acme-public.com', 'not_a_url'],
  ['https://acme-\npublic.com', 'not_a_url'],
  ['https://acme-public.com/a b', 'not_a_url'],
  ['https://%61cme-public.com/', 'not_a_url'],
  ['https://user:secret@acme-public.com/', 'credentials_in_url'],
  ['https://@acme-public.com/', 'credentials_in_url'],
  ['https://acme-public.com/#x', 'fragment_in_url'],
  ['https://acme-public.com/#', 'fragment_in_url'],
  ['https://acme-public.com:0/', 'port_not_allowed'],
  ['https://acme-public.com:65536/', 'not_a_url'],
  ['https://acme-public.com./', 'dot_after_host'],
  ['https://127.0.0.1/', 'address_not_public'],
  ['https://127.0.0.1./', 'odd_notation'],
  ['https://0x7f.1/', 'odd_notation'],
  ['https://2130706433/', 'odd_notation'],
  ['https://127.1/', 'odd_notation'],
  ['https://１２７.0.0.1/', 'odd_notation'],
  ['https://[::ffff:127.0.0.1]/', 'odd_notation'],
  ['https://[::ffff:7f00:1]/', 'address_not_public'],
  ['https://168.63.129.16/', 'address_not_public'],
  ['https://localhost/', 'host_not_public'],
  ['https://app.localhost/', 'host_not_public'],
  ['https://printer.local/', 'host_not_public'],
  ['https://n8n.internal/', 'host_not_public'],
  ['https://n8n/', 'host_not_public'],
  ['https://[::1]:3000/', 'own_port'],
  // On an address of this machine that is public.
  ['https://203.0.114.9:3000/', 'own_port'],
  // Its leads would come back as new ones.
  ['https://leads.acme.com/v1/ingest', 'own_port'],
  ['https://LEADS.acme.com:443/', 'own_port'],
  ['https://203.0.114.9:9464/', 'own_port'],
  ['https://203.0.114.9:3001/', 'saved'],
  ['https://acme-public.com:3000/', 'saved'],
] as const)('with an empty list, %s is %s', (url, expected) => {
  expect(verdict('', url)).toBe(expected);
});

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080/hook', 'saved'],
  ['127.0.0.1', 'https://127.0.0.1/', 'saved'],
  ['127.0.0.1', 'http://localhost:8080/', 'saved'],
  ['127.0.0.1', 'http://app.localhost:8080/', 'saved'],
  ['::1', 'http://localhost:8080/', 'saved'],
  ['127.0.0.1', 'http://[::1]:8080/', 'address_not_public'],
  ['127.0.0.1', 'http://127.0.0.2:8080/', 'address_not_public'],
  ['127.0.0.1', 'http://2130706433:8080/', 'odd_notation'],
  ['127.0.0.1', 'http://user@127.0.0.1:8080/', 'credentials_in_url'],
  ['127.0.0.1', 'ftp://127.0.0.1:8080/', 'scheme_not_allowed'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8081/', 'address_not_public'],
  ['127.0.0.1:8080', 'http://localhost:8081/', 'host_not_public'],
  ['10.0.0.0/8', 'http://acme-public.com/', 'https_required'],
  ['acme-public.com', 'http://acme-public.com/', 'saved'],
  ['acme-public.com', 'http://www.acme-public.com/', 'https_required'],
  ['n8n.internal:5678', 'http://n8n.internal:5678/webhook/1', 'saved'],
  ['n8n.internal:5678', 'http://N8N.INTERNAL:5678/', 'saved'],
  ['n8n.internal:5678', 'http://n8n.internal/', 'host_not_public'],
  ['n8n', 'http://n8n:5678/', 'saved'],
  // Our own ports stay closed.
  ['127.0.0.0/8', 'http://127.0.0.1:3000/', 'own_port'],
  ['127.0.0.0/8', 'http://127.255.0.1:9464/', 'own_port'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/', 'own_port'],
  ['localhost', 'http://localhost:3000/', 'own_port'],
  ['0.0.0.0/0', 'http://0.0.0.0:3000/', 'own_port'],
  ['0.0.0.0/0', 'http://192.168.7.7:3000/', 'own_port'],
  ['0.0.0.0/0', 'http://192.168.7.8:3000/', 'saved'],
  ['::/0', 'http://[::]:3000/', 'own_port'],
  ['::/0', 'http://[::ffff:7f00:1]:3000/', 'own_port'],
  ['::/0', 'http://[2a00:1450::7]:3000/', 'own_port'],
  ['10.0.0.0/8', 'http://10.0.0.9:5432/', 'own_port'],
  ['127.0.0.1', 'http://localhost:5432/', 'own_port'],
] as const)('with the list %s, %s is %s', (allow, url, expected) => {
  expect(verdict(allow, url)).toBe(expected);
});

/** The address that a delivery connects to, else why it does not. */
function connects(allow: string, url: string, addresses: string[]): unknown {
  const guard = guardWith(allow);
  const target = guard.check(url);
  if (typeof target === 'string') return target;
  const place = guard.checkAddresses(target, guard.knownAddresses(target) ?? addresses);
  return typeof place === 'string' ? place : `${place.address}${place.isListed ? ' (listed)' : ''}`;
}

test.each([
  ['', 'https://acme-public.com/', ['93.184.215.14', '2606:2800::1'], '93.184.215.14'],
  ['', 'https://acme-public.com/', ['93.184.215.14', '10.0.0.1'], 'address_not_public'],
  ['', 'https://acme-public.com/', [], 'address_not_public'],
  ['', 'https://acme-public.com:3000/', ['203.0.114.9'], 'own_port'],
  ['10.0.5.0/24', 'https://acme-public.com/', ['10.0.5.1'], '10.0.5.1 (listed)'],
  ['10.0.5.0/24', 'https://acme-public.com/', ['10.0.5.1', '10.0.6.1'], 'address_not_public'],
  ['10.0.5.0/24:8080', 'https://acme-public.com/', ['10.0.5.1'], 'address_not_public'],
  ['n8n.internal', 'http://n8n.internal/', ['10.9.9.9'], '10.9.9.9 (listed)'],
  ['n8n.internal', 'http://n8n.internal:3000/', ['10.9.9.9', '127.0.0.1'], 'own_port'],
  ['n8n.internal', 'http://n8n.internal:5432/', ['10.9.9.9'], 'own_port'],
  ['n8n.internal', 'http://n8n.internal/', ['fe80::1%eth0'], 'address_not_public'],
  ['n8n.internal', 'http://n8n.internal/', ['metadata'], 'address_not_public'],
  ['127.0.0.1', 'http://localhost:8080/', ['93.184.215.14'], '127.0.0.1 (listed)'],
  ['::1', 'http://localhost:8080/', ['93.184.215.14'], '::1 (listed)'],
  ['localhost', 'http://localhost:8080/', ['127.0.0.1'], '127.0.0.1 (listed)'],
  ['acme-public.com', 'http://acme-public.com/', ['93.184.215.14'], '93.184.215.14 (listed)'],
])('with the list %j, %s at %j: %s', (allow, url, addresses, expected) => {
  expect(connects(allow, url, addresses)).toBe(expected);
});

test('every refusal is a sentence for the owner', () => {
  for (const text of Object.values(urlRefusals)) expect(text).toMatch(/^[A-Z].*\.$/);
});
