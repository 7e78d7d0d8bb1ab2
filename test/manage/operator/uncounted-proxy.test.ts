import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../../src/time/clock.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { warmLeadgate } from '../../support/command-line/command-line.ts';
import { temporaryDataDir } from '../../support/command-line/process.ts';
import { operatorKey, startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace } from '../leads/seed.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
}

const clock = new ManualClock(Date.now());
const dataDir = temporaryDataDir();
const lines: Line[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
const said = () => lines.filter(({ msg }) => msg.includes('TRUST_PROXY'));
let service: TestService;
let owner: Browser;

beforeAll(async () => {
  service = await startTestService({ clock, log });
  owner = await join(service, await createWorkspace(service), 'owner@example.com', 'owner');
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

const signInVia = (forwardedFor: string, { url } = service) =>
  fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, 'X-Forwarded-For': forwardedFor },
    body: '{"email":"nobody@example.com","password":"seven wet umbrellas"}',
  });

const comesFromProxy = () =>
  owner.call('GET', '/v1/me', undefined, { ...owner.ownHeaders, 'X-Forwarded-For': '203.0.113.7' });

/** What operators and doctor are told. */
async function statement(of = service) {
  const { json } = await of.api('GET', '/operator/health');
  return json.statements.find(({ id }: { id: string }) => id === 'proxy');
}

async function doctorFinds(env: Record<string, string>, check: string) {
  const given = {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: dataDir.path,
    OPERATOR_KEY: operatorKey,
    PORT: '0',
  };
  const { json } = await warmLeadgate(['doctor', '--json'], { env: { ...given, ...env } });
  return json.find((finding: { check: string }) => finding.check === check);
}

test('requests that a proxy forwarded are logged once, with what to do, and without anything that they contain', async () => {
  expect(said()).toEqual([]);
  for (let n = 0; n < 20; n++) await signInVia(`marker-${n}, 203.0.113.${n}`);
  await fetch(`${service.url}/api/v1/setup`, { headers: { 'X-Forwarded-For': 'marker' } });
  expect(said()).toMatchObject([{ level: 40, msg: expect.stringContaining('number of proxies') }]);
  expect(JSON.stringify(said())).not.toMatch(/marker|203\.0\.113/);
});

test('an unauthenticated sender cannot warn operators of a proxy; a signed-in person who comes through one does, for a day', async () => {
  expect(await statement()).toBeUndefined();
  expect((await comesFromProxy()).status).toBe(200);
  const found = await statement();
  expect(found).toMatchObject({ state: 'warning', advice: expect.stringContaining('TRUST_PROXY') });
  const { port } = new URL(service.url);
  expect(await doctorFinds({ PORT: port }, 'service proxy')).toMatchObject({
    status: 'warning',
    text: found.text,
    fix: found.advice,
  });
  clock.advance(dayMs + 1);
  expect(await statement()).toBeUndefined();
});

test('a service that counts its proxies says nothing about them', async () => {
  const before = said().length;
  const { databaseUrl } = service;
  const env = { TRUST_PROXY: '1' };
  const counting = await startTestService({ clock, log, databaseUrl, env });
  await signInVia('203.0.113.7', counting);
  await fetch(`${counting.url}/api/v1/workspaces`, {
    headers: { Authorization: `Bearer ${operatorKey}`, 'X-Forwarded-For': '203.0.113.7' },
  });
  expect(await statement(counting)).toBeUndefined();
  await counting.stop();
  const withUrl = { ...env, PUBLIC_URL: 'https://leads.example.com' };
  await (await startTestService({ clock, log, databaseUrl, env: withUrl })).stop();
  expect(said()).toHaveLength(before);
  expect(await doctorFinds(withUrl, 'proxy')).toBeUndefined();
});

test('with an https URL the start and doctor say that a proxy is not counted, because the service itself speaks plain HTTP', async () => {
  const before = said().length;
  const { databaseUrl } = service;
  const env = { PUBLIC_URL: 'https://leads.example.com' };
  await (await startTestService({ clock, log, databaseUrl, env })).stop();
  expect(said().slice(before)).toMatchObject([{ level: 40, msg: expect.stringContaining('PUBLIC_URL') }]);
  expect(await doctorFinds(env, 'proxy')).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining('TRUST_PROXY'),
  });
});
