import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { asideName } from '../../src/cli/backup/data-directory.ts';
import { keyFingerprint } from '../../src/cli/backup/manifest.ts';
import { restore } from '../../src/cli/backup/restore.ts';
import { readConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { existingKey } from '../../src/key-files.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';

const key = 'the key of this backup 0123456789';
const scratch = temporaryDataDir();
let places = 0;
let backup: string;
let dataDir: string;
afterAll(() => scratch.remove());
type Entry = Record<string, unknown>;
let manifest: { folders: Entry[]; files: Entry[]; encryption_key: Entry } & Entry;

/** A backup by hand: small, and with whatever a test wants it to hold. */
beforeEach(() => {
  const place = join(scratch.path, String(++places));
  backup = join(place, 'backup');
  dataDir = join(place, 'data');
  manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    postgres_version: '18',
    encryption_key: { kept_in: 'elsewhere', fingerprint: keyFingerprint(key) },
    folders: ['postgres', 'postgres/global', 'spool'].map((path) => ({ path, mode: 0o700 })),
    files: [],
  };
  for (const { path } of manifest.folders) mkdirSync(join(backup, path as string), { recursive: true });
  addFile('postgres/PG_VERSION', '18\n');
  addFile('postgres/global/pg_control', 'state');
  addFile('spool/directory.snapshot', 'sealed');
});

function addFile(path: string, text: string, { mode = 0o600, isWritten = true } = {}): void {
  const sha256 = createHash('sha256').update(text).digest('hex');
  manifest.files.push({ path, mode, bytes: Buffer.byteLength(text), sha256 });
  if (!isWritten) return;
  mkdirSync(dirname(join(backup, path)), { recursive: true });
  writeFileSync(join(backup, path), text);
}

interface Options {
  readonly isOverwriting?: boolean;
  readonly env?: Record<string, string>;
  readonly say?: (text: string) => void;
}

function run({ isOverwriting = false, env = { ENCRYPTION_KEY: key }, say = () => {} }: Options = {}) {
  const path = join(backup, 'manifest.json');
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(manifest));
  return restore(readConfig({ DATA_DIR: dataDir, ...env }, existingKey), backup, isOverwriting, {
    say,
    show: () => {},
  });
}

const restored = (path: string) => readFileSync(join(dataDir, path), 'utf8');

test('a handmade backup can be restored, so that the following ones are refused for their own errors', async () => {
  await run();
  expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'spool']);
  expect(restored('postgres/global/pg_control')).toBe('state');
  expect(restored('spool/directory.snapshot')).toBe('sealed');
});

test.each([
  '/etc/leadgate-was-here',
  '../outside',
  'postgres/../../outside',
  'postgres/global/..',
  'spool/./file',
  'spool//file',
  'spool/file/',
  'postgres\\..\\outside',
  'spool/nul\0byte',
  'spool/new\nline',
  '',
  '.',
  'postgres',
  'elsewhere',
  'first-start.txt',
  'restore.pending',
  'encryption.key/below',
  'spool/no-such-folder/file',
  'postgres/PG_VERSION/below',
])('the path %j is refused before anything is written', async (path) => {
  addFile(path, 'hostile', { isWritten: false });
  await expect(run()).rejects.toThrow('Nothing was restored');
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ['a file', () => addFile('spool/directory.snapshot', 'second')],
  ['a folder', () => manifest.folders.push({ path: 'postgres/global', mode: 0o700 })],
  ['a folder and a file', () => manifest.folders.push({ path: 'postgres/PG_VERSION', mode: 0o700 })],
  ['a folder of no part', () => manifest.folders.push({ path: 'replaced-x', mode: 0o700 })],
])('%s that is listed twice, or has no parent, is refused', async (_name, add) => {
  add();
  await expect(run()).rejects.toThrow('Nothing was restored');
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  // Each has the very bytes that the manifest names, so that no checksum gives it away.
  ['a link to a file', (path: string) => symlinkSync(moved(path), path)],
  ['a hard link', (path: string) => linkSync(moved(path), path)],
  ['a pipe', (path: string) => execFileSync('mkfifo', [moved(path) && path])],
  ['a folder', (path: string) => mkdirSync(moved(path) && path)],
])('%s instead of a file is refused', async (_name, replace) => {
  replace(join(backup, 'postgres/PG_VERSION'));
  await expect(run()).rejects.toThrow('Nothing was restored');
  expect(existsSync(dataDir)).toBe(false);
});

function moved(path: string): string {
  const elsewhere = join(scratch.path, `moved-${++places}`);
  renameSync(path, elsewhere);
  return elsewhere;
}

test('a link instead of a folder, or a pipe instead of the manifest, is refused', async () => {
  const folder = join(backup, 'postgres/global');
  symlinkSync(moved(folder), folder);
  await expect(run()).rejects.toThrow('is not a folder');
  const list = join(backup, 'manifest.json');
  rmSync(list);
  execFileSync('mkfifo', [list]);
  await expect(run()).rejects.toThrow('is not a backup');
});

test('the permissions in a backup give nobody more than they need', async () => {
  addFile('postgres/run-me', '#!/bin/sh', { mode: 0o6777 });
  manifest.folders.push({ path: 'postgres/open', mode: 0o7777 });
  mkdirSync(join(backup, 'postgres/open'));
  await run();
  expect(statSync(join(dataDir, 'postgres/run-me')).mode & 0o7777).toBe(0o640);
  expect(statSync(join(dataDir, 'postgres/open')).mode & 0o7777).toBe(0o750);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o7777).toBe(0o700);
});

test('everything belongs to the owner of the directory afterwards, even if root restores', async () => {
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? 23_456 : process.getuid?.();
  mkdirSync(dataDir);
  if (isRoot) chownSync(dataDir, 23_456, 23_456);
  manifest.encryption_key.kept_in = 'file';
  addFile('encryption.key', key);
  await run({ env: {} });
  await run({ env: {}, isOverwriting: true });
  const all = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  expect(all.length).toBeGreaterThan(8);
  expect(all.filter((path) => statSync(join(dataDir, path)).uid !== uid)).toEqual([]);
});

test.each([
  ['one changed byte', (path: string) => writeFileSync(path, '19\n')],
  ['a missing file', (path: string) => rmSync(path)],
])('a backup with %s restores nothing, and the file is named', async (_name, damage) => {
  damage(join(backup, 'postgres/PG_VERSION'));
  await expect(run()).rejects.toMatchObject({
    reason: 'failure',
    message: expect.stringContaining('postgres/PG_VERSION'),
  });
  expect(existsSync(dataDir)).toBe(false);
});

test('a key in the backup that is not its own is refused', async () => {
  manifest.encryption_key.kept_in = 'file';
  addFile('encryption.key', 'another key of more than 32 characters');
  await expect(run({ env: {} })).rejects.toThrow('encryption.key');
  expect(existsSync(dataDir)).toBe(false);
});

/** A data directory that is in use, whose parts can be told from those of the backup. */
async function earlier(): Promise<void> {
  await run();
  for (const path of ['postgres/PG_VERSION', 'spool/directory.snapshot'])
    appendFileSync(join(dataDir, path), 'earlier');
}

const interruptAt = (words: string) => (text: string) => {
  if (text.startsWith(words)) throw new Error('interrupted');
};

test('a restore that is killed while it copies has touched nothing', async () => {
  await earlier();
  const say = (text: string) => {
    if (text.startsWith('Copying')) appendFileSync(join(backup, 'spool/directory.snapshot'), '!');
  };
  await expect(run({ isOverwriting: true, say })).rejects.toThrow('changed while it was read');
  expect(restored('postgres/PG_VERSION')).toBe('18\nearlier');
  expect(restored('spool/directory.snapshot')).toBe('sealedearlier');
  expect(existsSync(join(dataDir, 'restore.pending'))).toBe(false);
});

test('a restore that is killed while it swaps parts lets no service start until it is repeated', async () => {
  await earlier();
  const say = interruptAt('The previous data');
  await expect(run({ isOverwriting: true, say })).rejects.toThrow('interrupted');
  await expect(startEmbeddedPostgres({ dataDir, log: () => {} })).rejects.toThrow(
    'was interrupted. Run it again',
  );
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  await run({ isOverwriting: true });
  expect(restored('postgres/PG_VERSION')).toBe('18\n');
  const left = readdirSync(dataDir).filter((name) => !name.startsWith('replaced-'));
  expect(left.toSorted()).toEqual(['postgres', 'spool']);
});

test('a link instead of the spool is not followed', async () => {
  mkdirSync(dataDir);
  const victim = join(scratch.path, `victim-${places}`);
  mkdirSync(victim);
  symlinkSync(victim, join(dataDir, 'spool'));
  await expect(run()).rejects.toThrow('is a symbolic link');
  expect(readdirSync(victim)).toEqual([]);
});

/** A folder that a link leads to, and in which nothing may appear. */
function trap(): string {
  const victim = join(scratch.path, `victim-${places}`);
  mkdirSync(victim);
  return victim;
}

test.each(['restore.unfinished', 'spool/restore.unfinished'])(
  'a link that takes the place of %s while files are copied is not followed',
  async (stage) => {
    await earlier();
    const victim = trap();
    const say = (text: string) => {
      if (!text.startsWith('Copying')) return;
      renameSync(join(dataDir, stage), join(dataDir, 'moved'));
      symlinkSync(victim, join(dataDir, stage));
    };
    await expect(run({ isOverwriting: true, say })).rejects.toThrow('was moved or replaced');
    expect(readdirSync(victim)).toEqual([]);
    expect(restored('postgres/PG_VERSION')).toBe('18\nearlier');
    expect(existsSync(join(dataDir, 'restore.pending'))).toBe(false);
  },
);

test('a link instead of the stage or the marker is not followed', async () => {
  mkdirSync(dataDir);
  const victim = trap();
  writeFileSync(join(victim, 'kept'), '');
  symlinkSync(victim, join(dataDir, 'restore.unfinished'));
  await expect(run()).rejects.toThrow(`${dataDir}/restore.unfinished is in the way`);
  rmSync(join(dataDir, 'restore.unfinished'));
  symlinkSync(join(victim, 'mark'), join(dataDir, 'restore.pending'));
  await expect(run()).rejects.toThrow('ELOOP');
  expect(readdirSync(victim)).toEqual(['kept']);
});

test('a link instead of the folder for replaced data is not followed', async () => {
  await earlier();
  const victim = trap();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    symlinkSync(victim, join(dataDir, asideName()));
    await expect(run({ isOverwriting: true })).rejects.toThrow('is in the way');
  } finally {
    vi.useRealTimers();
  }
  expect(readdirSync(victim)).toEqual([]);
  expect(restored('postgres/PG_VERSION')).toBe('18\nearlier');
});

test.runIf(process.getuid?.() === 0)(
  'root does not copy into a stage that another user created',
  async () => {
    const stage = join(dataDir, 'restore.unfinished');
    mkdirSync(stage, { recursive: true, mode: 0o700 });
    chownSync(stage, 23_456, 23_456);
    await expect(run()).rejects.toThrow('belongs to another user');
    expect(readdirSync(stage)).toEqual([]);
  },
);
