import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { scratchFolder } from '../support/scratch.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  await createSender(service);
  operator = operatorOf(service);
});
afterAll(() => service.stop());

const inWorkspace = () => ['--workspace', sender.workspaceId];

async function created(name: string, ...scopes: string[]): Promise<string> {
  const made = await operator(['key', 'create', name, '--scope', ...scopes, ...inWorkspace()]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lgk_\w{38}\n$/) });
  return made.stdout.trim();
}

const withKey = (key: string, words: readonly string[], more: Record<string, string> = {}) =>
  warmLeadgate(words, { env: { LEADGATE_URL: service.url, LEADGATE_KEY: key, ...more } });

test('a key is printed alone, listed without its secret, and useless after it is revoked', async () => {
  const key = await created('Shell', 'leads:read');
  await post(service, sender, 'server');
  expect((await withKey(key, ['lead', 'list', '--json'])).json).toHaveLength(1);
  const { stdout } = await operator(['key', 'list', ...inWorkspace()]);
  expect(stdout).toMatch(/Shell +lgk_….{4} +leads:read +active +operator +2/);
  expect(stdout).not.toContain(key);
  const unsure = await operator(['key', 'revoke', 'Shell', ...inWorkspace()]);
  expect(unsure.code).toBe(2);
  expect((await operator(['key', 'revoke', 'Shell', '--yes', ...inWorkspace()])).code).toBe(0);
  const refused = await withKey(key, ['lead', 'list']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('was revoked') });
  expect((await operator(['key', 'list', ...inWorkspace()])).stdout).toMatch(/Shell .* revoked/);
});

test('a command with a key finds its workspace, and says which scope it lacks', async () => {
  const key = await created('Reports', 'forms:read');
  expect((await withKey(key, ['form', 'list', '--json'])).json).toMatchObject([{ slug: sender.slug }]);
  const refused = await withKey(key, ['lead', 'list']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('the scope leads:read') });
});

test('the API key of the environment is used before the operator key, and a key file before both', async () => {
  const key = await created('Reader', 'forms:read');
  const { json } = await operator(['workspace', 'list', '--json'], { env: { LEADGATE_KEY: key } });
  expect(json).toMatchObject([{ id: sender.workspaceId }]);
  const path = join(scratchFolder(), 'key.txt');
  writeFileSync(path, `${key}\n`);
  const fromFile = await operator(['workspace', 'list', '--json', '--key-file', path]);
  expect(fromFile.json).toHaveLength(1);
});

test('a key needs scopes that exist', async () => {
  const none = await operator(['key', 'create', 'Idle', ...inWorkspace()]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--scope') });
  const wrong = await operator(['key', 'create', 'Idle', '--scope', 'leads:write', ...inWorkspace()]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('leads:read') });
});
