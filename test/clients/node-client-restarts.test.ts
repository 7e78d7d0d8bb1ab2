import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../bench/port.ts';
import { eventually } from '../support/diagnostics.ts';
import {
  preparedDataDir,
  type ServiceProcess,
  startProcess,
  temporaryDataDir,
  usersNodes,
} from '../support/process.ts';
import { operatorKey } from '../support/service.ts';
import { startProxy } from './proxy.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const dataDir = preparedDataDir();
const build = temporaryDataDir();
let service: ServiceProcess;
let port = 0;

beforeAll(async () => {
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', 'clients/node', '--outDir', build.path], {
    cwd: root,
  });
  port = await freePort();
  service = await startProcess(dataDir.path, { PORT: String(port) });
});
afterAll(async () => {
  await service.kill('SIGTERM');
  dataDir.remove();
  build.remove();
});

async function restart(signal: NodeJS.Signals): Promise<void> {
  await service.kill(signal);
  service = await startProcess(dataDir.path, { PORT: String(port) });
}

/** Prints the ids of the leads, or fails when one of them was not accepted. */
async function sentBy(node: string, url: string, token: string, leads: number): Promise<string[]> {
  const env = { LEADGATE_URL: url, LEADGATE_TOKEN: token, LEADS: String(leads) };
  const script = join(import.meta.dirname, 'steady-sender.mjs');
  const { stdout } = await run(node, [script, join(build.path, 'leadgate.js')], { env });
  return JSON.parse(stdout);
}

// The oldest Node is the one that may do without; the other runs all else of the client.
describe.each(usersNodes().slice(-1))(
  'what %s sends while the service is killed and started again is stored exactly once',
  (_name, node) => {
    async function expectStoredOnce(workspaceId: string, ids: string[], count: number): Promise<void> {
      expect(new Set(ids).size).toBe(count);
      // A lead whose commit was too slow waits in the spool for a moment.
      const stored = await eventually(
        () => leadsOf(workspaceId, service.url),
        ({ length }) => length >= ids.length,
      );
      expect(stored.toSorted()).toEqual(ids.toSorted());
    }

    test('directly', async () => {
      const sender = await newSender(service.url);
      const sending = sentBy(node, service.url, sender.token, 300);
      // On a machine that is quick enough to have sent them all, the kill comes after the last.
      await eventually(
        () => leadsOf(sender.workspaceId, service.url),
        ({ length }) => length >= 20,
      );
      await restart('SIGKILL');
      await expectStoredOnce(sender.workspaceId, await sending, 300);
    });

    test('through a proxy that says 502 meanwhile', async () => {
      const sender = await newSender(service.url);
      const proxy = await startProxy(port);
      const sending = sentBy(node, proxy.url, sender.token, 300);
      await proxy.accepted(40);
      await restart('SIGTERM');
      await expectStoredOnce(sender.workspaceId, await sending, 300);
      expect(proxy.badGateways()).toBeGreaterThan(0);
      proxy.close();
    });
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

/** The ids of all leads of a workspace. */
async function leadsOf(workspaceId: string, url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await call(url, `/workspaces/${workspaceId}/leads?limit=200${cursor}`);
    ids.push(...page.items.map((item: { submission_id: string }) => item.submission_id));
    if (page.next_cursor === null) return ids;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
