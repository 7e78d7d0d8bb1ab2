import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Api } from '../../src/cli/api.ts';
import { exitCodes } from '../../src/cli/exit.ts';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { fillDemo } from '../../src/demo/fill.ts';
import { leadsInMonth } from '../../src/demo/past.ts';
import { PastClock } from '../../src/demo/past-clock.ts';
import { DemoSender } from '../../src/demo/sender.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import { dayMs } from '../../src/time/clock.ts';
import { Random } from '../../src/time/random.ts';
import { Browser } from '../support/browser/browser.ts';
import {
  preparedDataDir,
  type ServiceProcess,
  spawnService,
  startProcess,
} from '../support/command-line/process.ts';
import { eventually } from '../support/diagnostics.ts';
import { operatorKey, startTestService } from '../support/service.ts';

// The mailing alone produces every verdict. The whole month is the same with more leads.
const share = 0.05;
const script = 'src/demo/main.ts';
const dataDir = preparedDataDir();
let demo: ServiceProcess;
let owner: Browser;

/** What a first start of the demo does, with fewer leads and in this process. */
async function fill(): Promise<void> {
  const { url: databaseUrl, stop } = await startEmbeddedPostgres({ dataDir: dataDir.path, log: () => {} });
  const clock = new PastClock();
  const env = { DATA_DIR: dataDir.path, OPERATOR_KEY: operatorKey };
  const config = readConfig(env);
  const own = { ...env, ENCRYPTION_KEY: config.encryptionKey };
  const service = await startTestService({ clock, databaseUrl, env: own });
  const api = new Api({ url: service.url, key: operatorKey });
  const sender = new DemoSender(service.url, config.headerPrefix, clock);
  const random = new Random(1);
  await fillDemo({ config, api, sender, databaseUrl, clock, random, share, onProgress: () => {} });
  await service.stop();
  await stop();
}

const signIn = ({ url, output }: ServiceProcess) => {
  const [, email = ''] = /sign in with +(\S+)/.exec(output()) ?? [];
  // When output is a pipe, the demo names the file with the password.
  const [, file = ''] = /password +is in (\S+)/.exec(output()) ?? [];
  const { password } = JSON.parse(readFileSync(file, 'utf8')).signIn;
  expect(output()).not.toContain(password);
  const browser = new Browser(url);
  return browser.signIn(email, password).then(({ status }) => ({ browser, status }));
};

beforeAll(async () => {
  await fill();
  demo = await startProcess(dataDir.path, {}, script);
  const { browser, status } = await signIn(demo);
  expect(status).toBe(200);
  owner = browser;
});
afterAll(async () => {
  await demo.kill('SIGTERM');
  dataDir.remove();
});

async function workspaces(): Promise<{ id: string; name: string; status: string }[]> {
  return (await owner.api('GET', '/workspaces')).json.items;
}

const range = () => {
  const [from, to] = [Date.now() - 32 * dayMs, Date.now() + dayMs].map((time) =>
    new Date(time).toISOString(),
  );
  return `from=${from}&to=${to}`;
};

test('the owner whose sign-in is printed has three workspaces, one of them suspended, with six forms in total', async () => {
  const all = await workspaces();
  expect(all.map(({ status }) => status).toSorted()).toEqual(['active', 'active', 'suspended']);
  const forms = await Promise.all(
    all.map(async ({ id }) => (await owner.api('GET', `/workspaces/${id}/forms`)).json.items),
  );
  expect(forms.flat()).toHaveLength(6);
});

test('thirty days have all five thousand leads and every rejection reason', async () => {
  expect(leadsInMonth(1)).toBeGreaterThanOrEqual(5_000);
  const totals = { accepted: 0 };
  const reasons = new Set<string>();
  const count = async () => {
    totals.accepted = 0;
    for (const { id } of await workspaces()) {
      const { json } = await owner.api('GET', `/workspaces/${id}/diagnostics?${range()}`);
      totals.accepted += json.totals.accepted;
      for (const { reason } of json.by_reason) reasons.add(reason);
    }
    const unattributed = await owner.api('GET', `/operator/unattributed?${range()}`);
    for (const { reason } of unattributed.json.items) reasons.add(reason);
    return totals.accepted;
  };
  const expected = leadsInMonth(share);
  expect(await eventually(count, (accepted) => accepted >= expected)).toBeGreaterThanOrEqual(expected);
  // Pages are refused a token for these, which is counted beside their visits.
  const atMinting = ['challenge_failed', 'mint_limited'];
  // Answered as the lead that has the key, and noted.
  const shown = new Set([...reasons, ...atMinting, 'idempotency_key_reused']);
  expect(rejectionReasons.map(({ code }) => code).filter((code) => !shown.has(code))).toEqual([]);
});

test('there are leads of every verdict, and clean ones are enriched', async () => {
  const { id } = (await workspaces()).find(({ name }) => name === 'Brightwater Logistics') ?? { id: '' };
  for (const verdict of ['clean', 'suspect', 'spam']) {
    const { json } = await owner.api('GET', `/workspaces/${id}/leads?verdict=${verdict}`);
    expect(json.items.length, verdict).toBeGreaterThan(0);
  }
  const enriched = () => owner.api('GET', `/workspaces/${id}/leads?verdict=clean&limit=1`);
  const { json } = await eventually(enriched, (answer) => answer.json.items[0]?.enrichment !== null);
  const lead = await owner.api('GET', `/workspaces/${id}/leads/${json.items[0].submission_id}`);
  expect(lead.json.enrichment).not.toBeNull();
});

test('leads go to a receiver and to a chat that accept them and to a receiver that is down, and wait for one that is paused', async () => {
  const { id } = (await workspaces()).find(({ name }) => name === 'Brightwater Logistics') ?? { id: '' };
  type Listed = {
    name: string;
    kind: string;
    status: string;
    last_day: { delivered: number; waiting: number };
  };
  const destinations = async (): Promise<Listed[]> =>
    (await owner.api('GET', `/workspaces/${id}/destinations`)).json.items;
  const accepting = ['CRM', 'Sales channel'];
  const isFilled = (all: readonly Listed[]) =>
    all.every(({ name, last_day }) =>
      accepting.includes(name) ? last_day.delivered > 0 : last_day.waiting > 0,
    );
  const all = await eventually(destinations, isFilled);
  expect(all.map(({ name, kind, status }) => `${name}: ${kind}, ${status}`).toSorted()).toEqual([
    'CRM: webhook, active',
    'Newsletter tool: webhook, paused',
    'Sales automation: webhook, active',
    'Sales channel: chat, active',
  ]);
});

test('there is an open alarm about a change and one about an expiry, and one about quiet days that is over', async () => {
  type Listed = { kind: string; closed_as: string | null };
  const all = await workspaces();
  const alarms = async (name: string, state: string): Promise<Listed[]> => {
    const { id } = all.find((workspace) => workspace.name === name) ?? { id: '' };
    return (await owner.api('GET', `/workspaces/${id}/alarms?state=${state}`)).json.items;
  };
  const open = (await alarms('Brightwater Logistics', 'open')).map(({ kind }) => kind);
  expect(open).toEqual(expect.arrayContaining(['after_change', 'expiry_near']));
  const silence = (await alarms('Harbor Dental', 'closed')).find(({ kind }) => kind === 'silence');
  expect(silence).toMatchObject({ closed_as: 'recovered' });
});

test('a web page of the demo shows its form under a strict policy, and its visits of the last days', async () => {
  const page = await fetch(`${demo.url}/demo/form`);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  const [, key = ''] = /data-leadgate="(ingt_pub_\w+)"/.exec(await page.text()) ?? [];
  const { id } = (await workspaces()).find(({ name }) => name === 'Brightwater Logistics') ?? { id: '' };
  const { items } = (await owner.api('GET', `/workspaces/${id}/forms`)).json;
  const form = items.find(({ slug }: { slug: string }) => slug === 'brightwater-contact');
  const path = `/workspaces/${id}/forms/${form.id}/browser`;
  expect((await owner.api('GET', path)).json).toMatchObject({
    enabled: true,
    public_key: key,
    origins: expect.arrayContaining([demo.url]),
    protection: 'work',
    thanks_url: `${demo.url}/demo/thanks`,
  });
  const { json } = await owner.api('GET', `${path}/activity?minutes=10080`);
  const site = json.origins.find(({ origin }: { origin: string }) => origin.includes('brightwater'));
  for (const step of ['challenged', 'minted', 'used', 'accepted'])
    expect(site[step], step).toBeGreaterThan(0);
  expect((await fetch(`${demo.url}/demo/thanks`)).status).toBe(200);
});

test('a later start has the same sign-in and no second month, and leads keep coming', async () => {
  expect(demo.output()).not.toContain('month of leads');
  const accepted = async () => {
    const all = await Promise.all(
      (await workspaces()).map(({ id }) => owner.api('GET', `/workspaces/${id}/diagnostics?${range()}`)),
    );
    return all.reduce((sum, { json }) => sum + json.totals.accepted, 0);
  };
  const before = await accepted();
  expect(await eventually(accepted, (now) => now > before)).toBeGreaterThan(before);
});

test('an interrupted month is not mixed with another', async () => {
  await demo.kill('SIGTERM');
  rmSync(join(dataDir.path, 'demo.json'));
  const { ended, output } = spawnService({ DATA_DIR: dataDir.path }, script);
  expect(await ended).toBe(exitCodes.usage.code);
  expect(output()).toContain('has an incomplete demo');
});
