import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hintOf } from '../../src/domain/secrets/checksummed.ts';
import { hourMs } from '../../src/time/clock.ts';
import { closeStages, stage } from '../clients/stage.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { scratchFolder } from '../support/scratch.ts';
import { createSender, post, type Sender, someLead } from '../support/sender.ts';
import { operatorKey, type TestService } from '../support/service.ts';

let world: OutageWorld;
let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;

beforeAll(async () => {
  world = await OutageWorld.create();
  service = await world.start();
  sender = await createSender(service);
  operator = operatorOf(service);
});
afterAll(() => world.close());

const withKey = (key: string, words: readonly string[]) =>
  warmLeadgate(words, { env: { LEADGATE_URL: service.url, LEADGATE_KEY: key } });

describe('status', () => {
  test('shows readiness, health, the workspace and the last hour', async () => {
    await post(service, sender, 'server', someLead);
    await post(service, sender, 'server', '[]');
    await eventually(
      () => diagnosticsOf(service, sender),
      ({ totals }) => totals.accepted === 1 && totals.other === 1,
    );
    const { stdout } = await operator(['status']);
    expect(stdout).toMatch(/^Service +http:\S+, version \d\S+\nReady +yes\n/);
    expect(stdout).toContain('The spool is empty.');
    expect(stdout).toMatch(new RegExp(`\nWorkspace +.* \\(${sender.workspaceId}\\), active\n`));
    expect(stdout).toMatch(/\nLast hour +1 accepted, 1 rejected, 0 over a rate limit\n$/);
    const { json } = await operator(['status', '--json']);
    expect(json).toMatchObject({
      ready: true,
      health: { database: { available: true } },
      workspace: { id: sender.workspaceId },
      last_hour: { accepted: 1, other: 1 },
    });
  });

  test('with a key or without one, it shows what that key may know', async () => {
    const able = await createApiKey(service, sender.workspaceId, ['diagnostics:read']);
    const seen = await withKey(able.key, ['status', '--json']);
    expect(seen).toMatchObject({ code: 0, stderr: '' });
    expect(seen.json).toMatchObject({
      ready: true,
      health: null,
      workspace: { id: sender.workspaceId },
      last_hour: { accepted: expect.any(Number) },
    });
    const unable = await createApiKey(service, sender.workspaceId, ['leads:read']);
    const { code, stdout } = await withKey(unable.key, ['status']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nLast hour +.*needs the scope diagnostics:read/);
    const nobody = await warmLeadgate(['status'], { env: { LEADGATE_URL: service.url } });
    expect(nobody.code).toBe(0);
    expect(nobody.stdout).toMatch(/\nReady +yes\nWorkspace +There is no key\./);
  });

  test.each([
    [
      'a service that is not ready',
      503,
      'PostgreSQL and the spool are both unavailable\n',
      1,
      'both unavailable',
    ],
    ['another program', 200, '<html>', 1, 'does not respond like Leadgate'],
  ])('%s is no healthy service', async (_what, status, body, exit, text) => {
    const url = await stage((_request, response) => response.writeHead(status).end(body));
    const { code, stderr } = await warmLeadgate(['status'], { env: { LEADGATE_URL: url } });
    closeStages();
    expect(code).toBe(exit);
    expect(stderr).toContain(text);
  });

  test('a workspace that does not exist is an error, and so is no service', async () => {
    expect((await operator(['status', '--workspace', 'nothing'])).code).toBe(5);
    const env = { LEADGATE_URL: 'http://127.0.0.1:1', OPERATOR_KEY: operatorKey };
    expect((await warmLeadgate(['status'], { env })).code).toBe(3);
  });
});

describe('whoami', () => {
  test('shows the name, workspace, scopes and expiry of an API key, and not the key', async () => {
    const at = `/workspaces/${sender.workspaceId}/api-keys`;
    const expires_at = new Date(Date.now() + hourMs).toISOString();
    const scopes = ['leads:read', 'diagnostics:read'];
    const { json: made } = await service.api('POST', at, { name: 'Reports', scopes, expires_at });
    const { code, stdout } = await withKey(made.key, ['whoami']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      `Key: API key Reports (${hintOf(made.key)})`,
      `URL: ${service.url}`,
      expect.stringContaining(`(${sender.workspaceId})`),
      'Scopes: leads:read diagnostics:read',
      `Expires: ${expires_at}`,
      '',
    ]);
    expect(stdout).not.toContain(made.key);
    const path = join(scratchFolder(), 'key.txt');
    writeFileSync(path, made.key);
    const fromFile = await operator(['whoami', '--json', '--key-file', path]);
    expect(fromFile.json).toMatchObject({ kind: 'api_key', key: { name: 'Reports', scopes } });
    await service.api('DELETE', `${at}/${made.id}`);
    expect(await withKey(made.key, ['whoami'])).toMatchObject({ code: 4, stdout: '' });
  });

  test('shows the operator key, and no key, as such', async () => {
    const { code, stdout } = await operator(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Key +operator key\nURL +http\S+\nWorkspace +all\nScopes +all\nExpires +never\n$/,
    );
    expect(stdout).not.toContain(operatorKey);
    expect((await service.api('GET', '/key')).status).toBe(404);
    const none = await warmLeadgate(['whoami', '--json'], { env: { LEADGATE_URL: service.url } });
    expect(none).toMatchObject({ code: 4, json: { kind: 'none', key: null } });
    expect((await operator(['whoami'], { env: { OPERATOR_KEY: 'x'.repeat(32) } })).code).toBe(4);
  });
});

test('while PostgreSQL is down, status says so and exits with 1, although leads are accepted', async () => {
  await world.outage.begin();
  await post(service, sender, 'server', someLead);
  const { code, stdout, stderr } = await operator(['status']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/\nReady +yes\n/);
  expect(stderr).toMatch(/PostgreSQL|database/);
  await world.outage.end();
});
