import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../bench/port.ts';
import {
  preparedDataDir,
  type ServiceProcess,
  startProcess,
  temporaryDataDir,
  usersNodes,
} from '../support/command-line/process.ts';
import { eventually } from '../support/diagnostics.ts';
import { operatorKey } from '../support/service.ts';
import { startProxy } from './proxy.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const dataDir = preparedDataDir();
const build = temporaryDataDir();
let service: ServiceProcess;
let port = 0;
const leads = 200;

beforeAll(async () => {
  // The types are checked elsewhere.
  const words = ['-p', 'clients/node', '--noCheck', '--outDir', build.path];
  await run(join(root, 'node_modules/.bin/tsc'), words, { cwd: root });
  port = await freePort();
  service = await startProcess(dataDir.path, { PORT: String(port) });
});
afterAll(async () => {
  await service.kill('SIGTERM');
  dataDir.remove();
  build.remove();
});

/** Returns the ids of the leads, or fails if one was not accepted. */
async function sentBy(node: string, url: string, token: string): Promise<string[]> {
  const env = { LEADGATE_URL: url, LEADGATE_TOKEN: token, LEADS: String(leads) };
  const script = join(import.meta.dirname, 'steady-sender.mjs');
  const { stdout } = await run(node, [script, join(build.path, 'leadgate.js')], { env });
  return JSON.parse(stdout);
}

async function expectStoredOnce(workspaceId: string, ids: string[]): Promise<void> {
  expect(new Set(ids).size).toBe(leads);
  // A lead whose commit was slow stays in the spool for a moment.
  const stored = await eventually(
    () => leadsOf(workspaceId, service.url),
    ({ length }) => length >= ids.length,
  );
  expect(stored.toSorted()).toEqual(ids.toSorted());
}

// The oldest Node has the fewest features; all other tests run on the current one.
test.each(usersNodes().slice(-1))(
  'leads that %s sends while the service is killed and restarted are stored exactly once, directly and through a proxy',
  async (_name, node) => {
    const [direct, behindProxy] = [await newSender(service.url), await newSender(service.url)];
    const proxy = await startProxy(port);
    const sentDirectly = sentBy(node, service.url, direct.token);
    await eventually(
      () => leadsOf(direct.workspaceId, service.url),
      ({ length }) => length >= 20,
    );
    const sentThroughProxy = sentBy(node, proxy.url, behindProxy.token);
    await proxy.accepted(20);
    await service.kill('SIGKILL');
    service = await startProcess(dataDir.path, { PORT: String(port) });
    await expectStoredOnce(direct.workspaceId, await sentDirectly);
    await expectStoredOnce(behindProxy.workspaceId, await sentThroughProxy);
    expect(proxy.badGateways()).toBeGreaterThan(0);
    proxy.close();
  },
);

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
async function call(url: string, path: string, body?: object): Promise<any> {
  const headers = { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' };
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/api/v1${path}`, request);
  return response.json();
}

async function newSender(url: string): Promise<{ workspaceId: string; token: string }> {
  const { id: workspaceId } = await call(url, '/workspaces', { name: 'Senders' });
  const form = await call(url, `/workspaces/${workspaceId}/forms`, { name: 'Contact' });
  const { token } = await call(url, `/workspaces/${workspaceId}/tokens`, { name: 'x', form_id: form.id });
  return { workspaceId, token };
}

async function leadsOf(workspaceId: string, url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await call(url, `/workspaces/${workspaceId}/leads?limit=200${cursor}`);
    ids.push(...page.items.map((item: { submission_id: string }) => item.submission_id));
    if (page.next_cursor === null) return ids;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
