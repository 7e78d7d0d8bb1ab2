import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { scratchFolder } from '../support/scratch.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const script = join(root, 'clients/receivers/pull-leads.sh');
const run = promisify(execFile);
const isRunnable = ['curl', 'jq', 'flock'].every(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
);

let service: TestService;
let sender: Sender;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/api-keys`, {
    name: 'cron',
    scopes: ['events:read', 'leads:read'],
  });
  key = json.key;
});
afterAll(() => service.stop());

/** One run of cron. */
async function pull(folder: string, env: Record<string, string> = {}): Promise<number> {
  const settings = { LEADGATE_URL: service.url, LEADGATE_WORKSPACE: sender.workspaceId, LEADGATE_KEY: key };
  const ended = await run('sh', [script, folder], { env: { ...process.env, ...settings, ...env } }).catch(
    (error) => error,
  );
  return ended.code ?? 0;
}

function idsIn(folder: string): string[] {
  const path = join(folder, 'leads.ndjson');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => JSON.parse(line).submission_id);
}

async function sent(email: string): Promise<string> {
  const body = JSON.stringify({
    name: 'Ada Lovelace',
    email,
    company: 'Engines',
    message: 'A demo, please.',
  });
  const id = submissionIdOf(await post(service, sender, 'server', body));
  await eventually(
    async () => (await service.api('GET', `/workspaces/${sender.workspaceId}/events`)).json.items,
    (items: { submission_id: string }[]) => items.some(({ submission_id }) => submission_id === id),
  );
  return id;
}

describe.skipIf(!isRunnable)('pull-leads.sh, which needs curl, jq and flock,', () => {
  test('writes each clean lead once, over several runs, and no erased one', async () => {
    const folder = scratchFolder();
    const first = await sent('ada@analytical-engine.com');
    const erased = await sent('gone@analytical-engine.com');
    await service.api('DELETE', `/workspaces/${sender.workspaceId}/leads/${erased}`);
    expect(await pull(folder)).toBe(0);
    expect(await pull(folder)).toBe(0);
    expect(idsIn(folder)).toEqual([first]);
    const second = await sent('grace@analytical-engine.com');
    expect(await pull(folder)).toBe(0);
    expect(idsIn(folder)).toEqual([first, second]);
  });

  test('with a wrong key it fails and keeps its place', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'cursor'), '1\n');
    expect(await pull(folder, { LEADGATE_KEY: 'lgk_wrong' })).not.toBe(0);
    expect(readFileSync(join(folder, 'cursor'), 'utf8')).toBe('1\n');
    expect(idsIn(folder)).toEqual([]);
  });
});

test('the recipe shows the script as it is', () => {
  const page = readFileSync(join(root, 'docs/recipes/leads-to-files.md'), 'utf8');
  expect(page).toContain(`\`\`\`sh\n${readFileSync(script, 'utf8')}\`\`\``);
});
