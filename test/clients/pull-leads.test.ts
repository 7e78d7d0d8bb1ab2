import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
async function pull(folder: string, env: Record<string, string> = {}, path = script): Promise<number> {
  const settings = { LEADGATE_URL: service.url, LEADGATE_WORKSPACE: sender.workspaceId, LEADGATE_KEY: key };
  const ended = await run('sh', [path, folder], { env: { ...process.env, ...settings, ...env } }).catch(
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

/** The script with what a recipe puts in place of the file, for a service at another URL. */
function changedBy(recipe: string, host: string, url: string): string {
  const page = readFileSync(join(root, 'docs/recipes', recipe), 'utf8');
  const block = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code as string).at(-1) as string;
  expect(block).toContain(host);
  const path = join(scratchFolder(), 'changed.sh');
  const line = '  cat new >> leads.ndjson\n';
  expect(readFileSync(script, 'utf8')).toContain(line);
  writeFileSync(
    path,
    readFileSync(script, 'utf8').replace(line, () => block.replace(host, () => url)),
  );
  return path;
}

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly isAuthorised: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each recipe sends another shape.
  readonly body: any;
}

/** Accepts everything, or refuses it. */
async function startStandIn() {
  const asked: Asked[] = [];
  const state = { status: 201 };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const { method, url, headers } = request;
    asked.push({ method, url, isAuthorised: headers.authorization === 'Bearer theirs', body });
    response.writeHead(state.status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, state, stop: () => server.close().closeAllConnections() };
}

describe.skipIf(!isRunnable)('changed as a recipe says, it', () => {
  test('upserts each lead in Salesforce by its submission ID, and keeps its place when one is refused', async () => {
    const salesforce = await startStandIn();
    const path = changedBy('leads-to-salesforce.md', 'https://$SALESFORCE_HOST', salesforce.url);
    const folder = scratchFolder();
    writeFileSync(join(folder, 'salesforce-headers'), 'Authorization: Bearer theirs\n');
    const id = await sent('ada@analytical-engine.com');
    salesforce.state.status = 400;
    expect(await pull(folder, {}, path)).not.toBe(0);
    expect(existsSync(join(folder, 'cursor'))).toBe(false);
    salesforce.state.status = 201;
    expect(await pull(folder, {}, path)).toBe(0);
    const lead = { LastName: 'Ada Lovelace', Company: 'Engines', Email: 'ada@analytical-engine.com' };
    expect(salesforce.asked.at(-1)).toEqual({
      method: 'PATCH',
      url: `/services/data/v62.0/sobjects/Lead/Leadgate_ID__c/${id}`,
      isAuthorised: true,
      body: lead,
    });
    salesforce.stop();
  });

  test('appends a page of leads to a spreadsheet with one request, as plain values', async () => {
    const sheets = await startStandIn();
    const path = changedBy('leads-to-google-sheets.md', 'https://sheets.googleapis.com', sheets.url);
    const folder = scratchFolder();
    writeFileSync(join(folder, 'google-headers'), 'Authorization: Bearer theirs\n');
    await sent('ada@analytical-engine.com');
    const id = await sent('grace@analytical-engine.com');
    expect(await pull(folder, { SHEET_ID: 'sheet' }, path)).toBe(0);
    const [{ method, url, isAuthorised, body }] = sheets.asked as [Asked];
    expect({ method, isAuthorised, requests: sheets.asked.length }).toEqual({
      method: 'POST',
      isAuthorised: true,
      requests: 1,
    });
    expect(url).toContain('/v4/spreadsheets/sheet/values/Leads:append?valueInputOption=RAW');
    const [submissionId, receivedAt, name, email, grade] = body.values.at(-1);
    expect({ submissionId, name, email }).toEqual({
      submissionId: id,
      name: 'Ada Lovelace',
      email: 'grace@analytical-engine.com',
    });
    expect(Date.parse(receivedAt)).not.toBeNaN();
    expect(grade).toMatch(/^[A-E]$/);
    sheets.stop();
  });
});

test('the recipe shows the script as it is', () => {
  const page = readFileSync(join(root, 'docs/recipes/leads-to-files.md'), 'utf8');
  expect(page).toContain(`\`\`\`sh\n${readFileSync(script, 'utf8')}\`\`\``);
});
