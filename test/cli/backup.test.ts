import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliResult, leadgate, operatorOf } from '../support/command-line/command-line.ts';
import {
  preparedDataDir,
  type ServiceProcess,
  startProcess,
  temporaryDataDir,
} from '../support/command-line/process.ts';
import { eventually } from '../support/diagnostics.ts';
import { type ServiceHere, startHere } from '../support/service-here.ts';

const scratch = temporaryDataDir();
const data = preparedDataDir();
const dataDir = data.path;
const backup = join(scratch.path, 'backup');
const leads = 25;
let ids: string[];
let secret: string;
let slug: string;
let service: ServiceProcess;
let restored: ServiceHere | null = null;

const cli = (...words: string[]) => leadgate(words, { env: { DATA_DIR: dataDir } });

async function startRestored(): Promise<ReturnType<typeof operatorOf>> {
  restored = await startHere(dataDir);
  return operatorOf(restored);
}

async function storedIds(operator: ReturnType<typeof operatorOf>): Promise<string[]> {
  const { json } = await operator(['lead', 'list', '--limit', '1000', '--json']);
  return json.map((lead: { submission_id: string }) => lead.submission_id).toSorted();
}

beforeAll(async () => {
  service = await startProcess(dataDir);
  const operator = operatorOf(service);
  slug = (await operator(['form', 'list', '--json'])).json[0].slug;
  secret = (await operator(['secret', 'rotate', slug])).stdout.trim();
  const input = Array.from({ length: leads }, (_, row) =>
    JSON.stringify({ row, email: `a${row}@example.com` }),
  );
  const env = { LEADGATE_SECRET: secret };
  const words = ['lead', 'send', '--slug', slug, '--file', '-', '--lines', '--json'];
  const sent = await operator(words, { env, input: input.join('\n') });
  ids = sent.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).submission_id)
    .toSorted();
  expect(new Set(ids).size).toBe(leads);
});
afterAll(async () => {
  await service?.kill('SIGKILL');
  await restored?.stop();
  scratch.remove();
  data.remove();
});

function expectRefused(result: CliResult, code: number, says: string): void {
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toContain(says);
}

test('while the service runs, backup refuses and leaves no files', async () => {
  expectRefused(await cli('backup', backup), 6, 'Stop the service first');
  expect(existsSync(backup)).toBe(false);
});

test('a restore after losing everything brings back each lead and each secret', async () => {
  // Its database ends as by a power cut, while the service cannot start it again, and has to be brought to a clean end.
  const lockFile = join(dataDir, 'postgres/postmaster.pid');
  const server = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  service.child.kill('SIGSTOP');
  process.kill(server, 'SIGQUIT');
  await eventually(
    async () => existsSync(lockFile),
    (isThere) => !isThere,
  );
  await service.kill('SIGKILL');
  mkdirSync(join(dataDir, 'spool/damaged'), { recursive: true });
  writeFileSync(join(dataDir, 'spool/damaged/kept'), 'bytes of the spool');
  const made = await cli('backup', backup, '--with-keys', '--json');
  expect(made.stderr).toContain('Stopping it cleanly');
  expect(made).toMatchObject({ code: 0, json: { folder: backup, with_keys: true } });
  expect(statSync(backup).mode & 0o077).toBe(0);
  expect(existsSync(`${backup}.unfinished`)).toBe(false);
  const key = readFileSync(join(dataDir, 'encryption.key'), 'utf8');
  rmSync(dataDir, { recursive: true });

  expect(await cli('restore', backup)).toMatchObject({ code: 0 });
  expect(readFileSync(join(dataDir, 'encryption.key'), 'utf8')).toBe(key);
  expect(readFileSync(join(dataDir, 'spool/damaged/kept'), 'utf8')).toBe('bytes of the spool');
  const operator = await startRestored();
  expect(await storedIds(operator)).toEqual(ids);
  const env = { LEADGATE_SECRET: secret };
  expect((await operator(['lead', 'send', '{"email":"b@example.com"}', '--slug', slug], { env })).code).toBe(
    0,
  );
  expect(await storedIds(operator)).toHaveLength(leads + 1);
});

test('restore refuses a directory that is not empty, and with --overwrite moves existing data aside', async () => {
  expectRefused(await cli('restore', backup, '--overwrite'), 6, 'is in use');
  await restored?.stop();
  expectRefused(await cli('restore', backup), 6, '--overwrite');
  expect((await cli('restore', backup, '--overwrite')).code).toBe(0);
  const aside = readdirSync(dataDir).filter((name) => name.startsWith('replaced-'));
  expect(readdirSync(join(dataDir, aside[0] as string)).toSorted()).toEqual(
    ['encryption.key', 'postgres'].toSorted(),
  );
  expect(await storedIds(await startRestored())).toEqual(ids);
  await restored?.stop();
});

test('an encryption key that is not the backup’s is refused before anything is touched', async () => {
  const target = join(scratch.path, 'elsewhere');
  const env = { DATA_DIR: target, ENCRYPTION_KEY: 'x'.repeat(32) };
  expectRefused(await leadgate(['restore', backup], { env }), 6, 'ENCRYPTION_KEY');
  expect(existsSync(target)).toBe(false);
});

test('a backup without --with-keys has no key, and can be restored only with its key', async () => {
  writeFileSync(join(dataDir, 'first-start.txt'), 'secrets');
  const keyless = join(scratch.path, 'keyless');
  const made = await cli('backup', keyless);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain('The keys are not in the backup');
  expect(readdirSync(keyless).toSorted()).toEqual(['manifest.json', 'postgres', 'spool']);
  const key = readFileSync(join(dataDir, 'encryption.key'), 'utf8');
  expect(readFileSync(join(keyless, 'manifest.json'), 'utf8')).not.toContain(key.trim());

  const target = join(scratch.path, 'new machine');
  const restoreThere = () => leadgate(['restore', keyless], { env: { DATA_DIR: target } });
  expectRefused(await restoreThere(), 2, join(target, 'encryption.key'));
  expect(existsSync(target)).toBe(false);
  mkdirSync(target);
  writeFileSync(join(target, 'encryption.key'), `${'x'.repeat(43)}\n`);
  expectRefused(await restoreThere(), 6, 'is not the key of this backup');
  expect(readdirSync(target)).toEqual(['encryption.key']);
  writeFileSync(join(target, 'encryption.key'), key);
  expect(await restoreThere()).toMatchObject({ code: 0 });
  expect(readdirSync(target).toSorted()).toEqual(['encryption.key', 'postgres', 'spool']);
  expect(readFileSync(join(target, 'encryption.key'), 'utf8')).toBe(key);
});

test('a backup never replaces another, and is never inside the data', async () => {
  expectRefused(await cli('backup', backup), 6, 'already exists');
  expectRefused(await cli('backup', join(dataDir, 'backup')), 2, 'must not be inside');
});

test('with a database of your own, backup says what to use instead', async () => {
  const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://localhost/leads' };
  expectRefused(await leadgate(['backup', join(scratch.path, 'b2')], { env }), 2, 'pg_dump');
});
