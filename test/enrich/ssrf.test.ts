import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DialTarget, Egress } from '../../src/net/egress.ts';
import { systemEgress } from '../../src/net/egress.ts';
import { RefusedError, SafeHttp } from '../../src/net/safe-http.ts';
import { Canary, somePublicAddress, TestInternet, TestNames } from '../support/egress.ts';
import { hostileAnswers, hostileUrls } from './hostile-urls.ts';

const canaries: Canary[] = [];
let internet: TestInternet;
let canaryPort: number;

beforeAll(async () => {
  const first = new Canary();
  await first.listen('127.0.0.1');
  canaryPort = first.port;
  canaries.push(first);
  // The same port on every other address of this machine.
  for (const host of ['127.1.2.3', '127.255.255.254', '::1']) {
    const canary = new Canary();
    if (await canary.listen(host, canaryPort)) canaries.push(canary);
  }
  internet = await new TestInternet().start();
});
beforeEach(() => {
  for (const canary of canaries) canary.connections = 0;
  internet.dialled.length = 0;
});
afterAll(async () => {
  await Promise.all(canaries.map((canary) => canary.stop()));
  await internet.stop();
});

const connections = () => canaries.reduce((sum, canary) => sum + canary.connections, 0);

/**
 * The most permissive egress: every address that the guard allows is dialled, and every port is the canary's, so that a
 * guard that lets a private address pass is caught.
 */
function toCanaries(names: TestNames): Egress & { dialled: DialTarget[] } {
  const dialled: DialTarget[] = [];
  return {
    names,
    dialled,
    dial(target) {
      dialled.push(target);
      // Even if the guard fails, the test does not leave this machine.
      const isHere = /^(?:127\.|0\.0\.0\.0$|::1?$|::ffff:127\.)/.test(target.address);
      return connect({ host: isHere ? target.address : '127.0.0.1', port: canaryPort });
    },
  };
}

function get(http: SafeHttp, url: string) {
  return http.send({
    method: 'GET',
    url: url.replaceAll('PORT', String(canaryPort)),
    headers: {},
    contentTypes: ['text/html'],
    bytesMax: 1_000,
    redirectsMax: 3,
    signal: AbortSignal.timeout(60_000),
  });
}

test('the canaries work: a connection to loopback is noticed', async () => {
  const egress = toCanaries(new TestNames());
  const socket = egress.dial({ address: '127.0.0.1', port: 80, serverName: null });
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  expect(connections()).toBe(1);
});

test(`none of ${hostileUrls.length} hostile URLs leads to a connection or a DNS query`, async () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(100);
  const names = new TestNames();
  // Even a resolver that knows every name inside the network is not asked.
  names.addresses = async (name: string) => {
    names.asked.push(name);
    return ['127.0.0.1'];
  };
  const egress = toCanaries(names);
  const http = new SafeHttp(egress);
  for (const url of hostileUrls) await expect(get(http, url), url).rejects.toBeInstanceOf(RefusedError);
  expect(egress.dialled).toEqual([]);
  expect(names.asked).toEqual([]);
  expect(connections()).toBe(0);
});

test('the hostile URLs reach no canary through the real network either', async () => {
  const http = new SafeHttp(systemEgress);
  for (const url of hostileUrls) await expect(get(http, url), url).rejects.toBeInstanceOf(RefusedError);
  expect(connections()).toBe(0);
});

test.each(hostileAnswers.map((addresses) => [addresses]))(
  'a public name that resolves to %j is not connected to',
  async (addresses) => {
    const names = new TestNames();
    names.zones.set('acme-public.com', { addresses });
    const egress = toCanaries(names);
    await expect(get(new SafeHttp(egress), 'https://acme-public.com/')).rejects.toBeInstanceOf(RefusedError);
    expect(egress.dialled).toEqual([]);
    expect(connections()).toBe(0);
  },
);

test('for a name that is public when checked and private afterwards, the checked address is used', async () => {
  const names = new TestNames();
  let asked = 0;
  names.addresses = async () => (++asked === 1 ? [somePublicAddress] : ['127.0.0.1']);
  const egress: Egress = { names, dial: (target) => internet.dial(target) };
  internet.handler = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  const answer = await get(new SafeHttp(egress), 'https://rebinding-acme.com/');
  expect(answer.status).toBe(200);
  expect(asked).toBe(1);
  expect(internet.dialled).toEqual([
    { address: somePublicAddress, port: 443, serverName: 'rebinding-acme.com' },
  ]);
});

test('a name that turns private between two redirects is not connected to again', async () => {
  const names = new TestNames();
  let asked = 0;
  names.addresses = async () => (++asked === 1 ? [somePublicAddress] : ['127.0.0.1']);
  const egress: Egress = { names, dial: (target) => internet.dial(target) };
  internet.handler = (_, response) => response.writeHead(302, { location: '/again' }).end();
  await expect(get(new SafeHttp(egress), 'https://rebinding-acme.com/')).rejects.toThrow(/not public/);
  expect(internet.dialled).toHaveLength(1);
  expect(connections()).toBe(0);
});

test('no redirect leads to a hostile URL', async () => {
  internet.addHost('acme-public.com');
  const http = new SafeHttp(internet);
  // A header cannot contain the others.
  const locations = hostileUrls.filter((url) => /^[!-~]+$/.test(url) && /^[a-z]+:|^\/\//.test(url));
  expect(locations.length).toBeGreaterThanOrEqual(100);
  for (const location of locations) {
    internet.dialled.length = 0;
    internet.handler = (_, response) =>
      response.writeHead(302, { location: location.replaceAll('PORT', String(canaryPort)) }).end();
    await expect(get(http, 'https://acme-public.com/'), location).rejects.toBeInstanceOf(RefusedError);
    expect(internet.dialled, location).toHaveLength(1);
  }
  expect(connections()).toBe(0);
});

test('a redirect is followed at most three times', async () => {
  internet.addHost('acme-public.com');
  internet.handler = (_, response) => response.writeHead(301, { location: '/next' }).end();
  await expect(get(new SafeHttp(internet), 'https://acme-public.com/')).rejects.toThrow('too many redirects');
  expect(internet.dialled).toHaveLength(4);
});

test('a redirect from https to http is not followed', async () => {
  internet.addHost('acme-public.com');
  internet.handler = (_, response) =>
    response.writeHead(302, { location: 'http://acme-public.com/plain' }).end();
  await expect(get(new SafeHttp(internet), 'https://acme-public.com/')).rejects.toThrow('away from https');
  expect(internet.dialled).toHaveLength(1);
});

test('a redirect to another public site is followed and recorded', async () => {
  internet.addHost('acme-public.com', 'acme-group.com');
  internet.handler = (request, response) => {
    if (request.headers.host === 'acme-public.com')
      response.writeHead(301, { location: 'https://acme-group.com/home' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Group</title>');
  };
  const answer = await get(new SafeHttp(internet), 'https://acme-public.com/');
  expect(answer.url.href).toBe('https://acme-group.com/home');
  expect(String(answer.body.bytes)).toBe('<title>Group</title>');
});

test('no cookie, proxy or credential of ours is sent', async () => {
  internet.addHost('acme-public.com');
  internet.requests.length = 0;
  internet.handler = (request, response) =>
    request.url === '/'
      ? response.writeHead(302, { location: '/2', 'set-cookie': 'session=1' }).end()
      : response.writeHead(200, { 'content-type': 'text/html' }).end();
  await get(new SafeHttp(internet), 'https://acme-public.com/');
  expect(internet.requests.map(({ headers }) => Object.keys(headers).toSorted())).toEqual([
    ['accept-encoding', 'connection', 'host', 'user-agent'],
    ['accept-encoding', 'connection', 'host', 'user-agent'],
  ]);
});
