import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../src/clock.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import { Browser } from '../support/browser.ts';
import { eventually } from '../support/diagnostics.ts';
import { preparedDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

const dataDir = preparedDataDir();
let demo: ServiceProcess;
let owner: Browser;

const start = () => startProcess(dataDir.path, {}, 'src/demo/main.ts');
const signIn = ({ url, output }: ServiceProcess) => {
  const [, email = ''] = /sign in with +(\S+)/.exec(output()) ?? [];
  // Into a pipe, the demo names the file that holds the password.
  const [, file = ''] = /password +is in (\S+)/.exec(output()) ?? [];
  const { password } = JSON.parse(readFileSync(file, 'utf8')).signIn;
  expect(output()).not.toContain(password);
  const browser = new Browser(url);
  return browser.signIn(email, password).then(({ status }) => ({ browser, status }));
};

beforeAll(async () => {
  demo = await start();
  const { browser, status } = await signIn(demo);
  expect(status).toBe(200);
  owner = browser;
});
afterAll(async () => {
  await demo.kill('SIGTERM');
  dataDir.remove();
});

async function workspaces(): Promise<{ id: string; status: string }[]> {
  return (await owner.api('GET', '/workspaces')).json.items;
}

const range = () => {
  const [from, to] = [Date.now() - 32 * dayMs, Date.now() + dayMs].map((time) =>
    new Date(time).toISOString(),
  );
  return `from=${from}&to=${to}`;
};

test('the owner whose sign-in is printed has three workspaces, one of them suspended, with six forms in all', async () => {
  const all = await workspaces();
  expect(all.map(({ status }) => status).toSorted()).toEqual(['active', 'active', 'suspended']);
  const forms = await Promise.all(
    all.map(async ({ id }) => (await owner.api('GET', `/workspaces/${id}/forms`)).json.items),
  );
  expect(forms.flat()).toHaveLength(6);
});

test('thirty days hold five thousand leads and every reason of rejection', async () => {
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
  expect(await eventually(count, (accepted) => accepted >= 5_000)).toBeGreaterThanOrEqual(5_000);
  expect(rejectionReasons.map(({ code }) => code).filter((code) => !reasons.has(code))).toEqual([]);
});

test('leads of every verdict are there, and clean ones are enriched', async () => {
  const [{ id } = { id: '' }] = await workspaces();
  for (const verdict of ['clean', 'suspect', 'spam']) {
    const { json } = await owner.api('GET', `/workspaces/${id}/leads?verdict=${verdict}`);
    expect(json.items.length, verdict).toBeGreaterThan(0);
  }
  const enriched = () => owner.api('GET', `/workspaces/${id}/leads?verdict=clean&limit=1`);
  const { json } = await eventually(enriched, (answer) => answer.json.items[0]?.enrichment !== null);
  const lead = await owner.api('GET', `/workspaces/${id}/leads/${json.items[0].submission_id}`);
  expect(lead.json.enrichment).not.toBeNull();
});

test('leads go on coming, and the next start has the same sign-in and no second month', async () => {
  const accepted = async () => {
    const all = await Promise.all(
      (await workspaces()).map(({ id }) => owner.api('GET', `/workspaces/${id}/diagnostics?${range()}`)),
    );
    return all.reduce((sum, { json }) => sum + json.totals.accepted, 0);
  };
  const before = await accepted();
  expect(await eventually(accepted, (now) => now > before)).toBeGreaterThan(before);
  await demo.kill('SIGTERM');
  demo = await start();
  expect((await signIn(demo)).status).toBe(200);
  expect(demo.output()).not.toContain('month of leads');
});
