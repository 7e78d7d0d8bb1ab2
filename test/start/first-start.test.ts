import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayMs } from '../../src/time/clock.ts';
import type { Browser } from '../support/browser/browser.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { compileCache, startProcess, temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { callApi, operatorKey } from '../support/service.ts';
import { type ServiceHere, startHere } from '../support/service-here.ts';
import { acceptInvitation, setUp, signedCommand, stored, tokenCommand } from './newcomer.ts';

// Each start is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secrets = /ingt_srv_|lgs_|setup#token/;
const scratch = temporaryDataDir();
let places = 0;
let dataDir: string;
let database: TestDatabase;
const started: Pick<ServiceHere, 'stop'>[] = [];
const file = () => join(dataDir, 'first-start.txt');
const kept = () => readFileSync(file(), 'utf8');

beforeEach(async () => {
  dataDir = join(scratch.path, `data-${++places}`);
  database = await createTestDatabase();
});
afterEach(async () => {
  await stop();
  await database.drop();
});
afterAll(() => scratch.remove());

async function start(): Promise<ServiceHere> {
  const service = await startHere(dataDir, { DATABASE_URL: database.url });
  started.push(service);
  return service;
}

async function stop(): Promise<void> {
  for (const service of started.splice(0)) await service.stop();
}

/** What doctor says about the file. */
async function doctorsFinding() {
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0' };
  const { json } = await warmLeadgate(['doctor', '--json'], { env });
  return json.find(({ check }: { check: string }) => check === 'first start');
}

test('a log names a private file, whose commands send leads that score well through both surfaces', async () => {
  const first = await startProcess(dataDir, { DATABASE_URL: database.url });
  started.push({ stop: () => first.kill('SIGTERM').then(() => {}) });
  expect(first.output()).not.toMatch(secrets);
  expect(first.output()).toContain(file());
  expectPrivateFile();
  expect(await tokenCommand(kept())).toMatch(stored);
  expect(await signedCommand(kept())).toMatch(stored);
  const [{ id }] = (await callApi(first.url, 'GET', '/workspaces', undefined)).json.items;
  const { items } = (await callApi(first.url, 'GET', `/workspaces/${id}/leads`, undefined)).json;
  const expected = { verdict: 'clean', grade: expect.stringMatching(/^[AB]$/) };
  expect(items).toMatchObject([expected, expected]);
});

test('until somebody has an account, each start puts a new link in the file and keeps the credentials', async () => {
  await start();
  const before = kept();
  await stop();
  expect((await start()).output()).not.toMatch(secrets);
  const link = /setup#token=\S+/;
  expect(kept()).not.toContain(String(link.exec(before)));
  const rest = (text: string) => text.replace(link, '').replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'port');
  expect(rest(kept())).toBe(rest(before));
  for (const command of [tokenCommand, signedCommand]) expect(await command(kept())).toMatch(stored);
  expect(await doctorsFinding()).toBeUndefined();
});

const isGone = (path: string) =>
  eventually(
    async () => existsSync(path),
    (isThere) => !isThere,
  );
const rejected = '{"status":"rejected"}';

/** The workspace of the first start, as its new owner sees it. */
async function starterOf(browser: Browser) {
  const [{ id }] = (await browser.api('GET', '/workspaces', undefined)).json.items;
  const [form] = (await browser.api('GET', `/workspaces/${id}/forms`)).json.items;
  const [token] = (await browser.api('GET', `/workspaces/${id}/tokens`)).json.items;
  return { form, token };
}

test('with the first account the file ends, and so do a token and a secret in it that nobody has used', async () => {
  const service = await start();
  const text = kept();
  const { form, token } = await starterOf(await setUp(service, text));
  expect(existsSync(file())).toBe(false);
  expect(form).toMatchObject({ slug: 'website-contact', webhook_secret: { configured: false } });
  expect(token).toMatchObject({ name: 'Starter token', status: 'revoked' });
  expect(Date.parse(token.expires_at) - Date.parse(token.created_at)).toBe(7 * dayMs);
  expect([await tokenCommand(text), await signedCommand(text)]).toEqual([rejected, rejected]);

  await stop();
  const later = await start();
  expect(later.output()).not.toMatch(secrets);
  expect(existsSync(file())).toBe(false);
  writeFileSync(file(), text);
  expect(await doctorsFinding()).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining(`rm ${file()}`),
  });
});

/** Uses are written later than leads, and leads can be erased. */
const forgotten = {
  use: ['update tokens set last_used_at = null', 'update form_uses set verified_at = null'],
  lead: ['delete from leads'],
};

test.each([
  ['token', 'lead', tokenCommand, signedCommand, 'use'],
  ['token', 'use', tokenCommand, signedCommand, 'lead'],
  ['secret', 'lead', signedCommand, tokenCommand, 'use'],
  ['secret', 'use', signedCommand, tokenCommand, 'lead'],
] as const)(
  'a %s of the first start keeps working if a %s shows that it was used before the first account',
  async (_, _shown, used, unused, missing) => {
    const service = await start();
    const text = kept();
    expect(await used(text)).toMatch(stored);
    const pool = openTestPool(database.url);
    await eventually(
      async () =>
        (
          await pool.query(
            'select last_used_at as at from tokens union all select verified_at from form_uses',
          )
        ).rows,
      (rows) => rows.some(({ at }) => at !== null),
    );
    for (const statement of forgotten[missing]) await pool.query(statement);
    await pool.end();
    await setUp(service, text);
    expect(existsSync(file())).toBe(false);
    expect(await used(text)).toMatch(stored);
    expect(await unused(text)).toBe(rejected);
  },
);

test('a file that a kill left behind the first account ends at the next start, with what is in it', async () => {
  await start();
  const text = kept();
  await stop();
  const own = dataDir;
  dataDir = join(scratch.path, `data-${++places}`);
  const browser = await setUp(await start(), kept());
  expect((await starterOf(browser)).token.status).toBe('active');
  await stop();
  dataDir = own;
  const service = await start();
  await isGone(file());
  expect(await tokenCommand(text.replaceAll(/http:\S+(?=\/api)/g, service.url))).toBe(rejected);
});

test('a file ends wherever it is: on another instance, and if the first person comes by an invitation', async () => {
  await start();
  const text = kept();
  const own = file();
  dataDir = join(scratch.path, `data-${++places}`);
  const second = await start();
  expect(await acceptInvitation(second)).toBe(200);
  for (const path of [own, file()]) await isGone(path);
  await eventually(
    () => tokenCommand(text),
    (answer) => answer === rejected,
  );
});

test('a link in place of the file is removed with the first account; what it names stays, and a token that is in no file', async () => {
  const service = await start();
  const text = kept();
  const victim = join(scratch.path, `victim-${places}`);
  writeFileSync(victim, text);
  rmSync(file());
  symlinkSync(victim, file());
  await setUp(service, text);
  expect(() => lstatSync(file())).toThrow('ENOENT');
  expect(readFileSync(victim, 'utf8')).toBe(text);
  expect(await tokenCommand(text)).toMatch(stored);
});

test('a link in place of the file is replaced, never followed', async () => {
  mkdirSync(dataDir);
  writeFileSync(join(scratch.path, 'victim'), 'untouched');
  symlinkSync(join(scratch.path, 'victim'), file());
  await start();
  expect(readFileSync(join(scratch.path, 'victim'), 'utf8')).toBe('untouched');
  expectPrivateFile();
});

function expectPrivateFile(): void {
  expect(lstatSync(file()).isFile()).toBe(true);
  expect(lstatSync(file()).mode & 0o777).toBe(0o600);
  for (const secret of ['ingt_srv_', 'lgs_', '/setup#token=']) expect(kept()).toContain(secret);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('first-start'))).toEqual(['first-start.txt']);
}

test('if the file cannot be written, the output says so, the service runs, and no credentials are lost', async () => {
  mkdirSync(file(), { recursive: true });
  const service = await start();
  expect(service.output()).not.toMatch(secrets);
  expect(service.output()).toContain(`your account to ${file()}`);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await stop();
  // The file in its place is readable by everyone, and must not be once it has the credentials.
  rmSync(file(), { recursive: true });
  writeFileSync(file(), 'notes', { mode: 0o644 });
  await start();
  expectPrivateFile();
});

test('a terminal gets everything, and no file is written', async () => {
  // Python can create a terminal; Node cannot.
  const words = ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', process.execPath, 'src/main.ts'];
  const child = spawn('python3', words, {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      OPERATOR_KEY: operatorKey,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      NODE_COMPILE_CACHE: compileCache,
    },
  });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await eventually(
    async () => text,
    (shown) => shown.includes('Press Ctrl-C'),
  );
  // The terminal turns this into a signal, as for the key.
  child.stdin.write('\x03');
  await ended;
  const lines = stripVTControlCharacters(text);
  for (const secret of ['ingt_srv_', 'lgs_', '/setup#token=']) expect(lines).toContain(secret);
  expect(existsSync(file())).toBe(false);
});
