import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeNewKey, retirePreviousKey } from '../../src/cli/rekey/key-files.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/config-error.ts';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { preparedDataDir, temporaryDataDir } from '../support/command-line/process.ts';
import { type ServiceHere, startHere } from '../support/service-here.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
let scratch: ReturnType<typeof temporaryDataDir>;
beforeEach(() => {
  scratch = temporaryDataDir();
});
afterEach(() => scratch.remove());

const file = (name: string) => join(scratch.path, name);
const config = (env: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: scratch.path, OPERATOR_KEY: 'o'.repeat(32), ...env });

test.each([
  ['a previous key without a current one', { ENCRYPTION_KEY_PREVIOUS: one }],
  ['the same key twice', { ENCRYPTION_KEY: one, ENCRYPTION_KEY_PREVIOUS: one }],
  ['a short previous key', { ENCRYPTION_KEY: one, ENCRYPTION_KEY_PREVIOUS: 'short' }],
])('%s is refused at the start, by its name', (_, env) => {
  expect(() => config(env)).toThrow(ConfigError);
  expect(() => config(env)).toThrow('ENCRYPTION_KEY_PREVIOUS');
});

test('the previous key comes from the environment with the current key, or from a file beside it', () => {
  writeFileSync(file('encryption.key'), one);
  writeFileSync(file('encryption.key.previous'), two);
  expect(config()).toMatchObject({ encryptionKey: one, previousEncryptionKeys: [two] });
  expect(config({ ENCRYPTION_KEY: two }).previousEncryptionKeys).toEqual([]);
  const env = { ENCRYPTION_KEY: two, ENCRYPTION_KEY_PREVIOUS: one };
  expect(config(env)).toMatchObject({ encryptionKey: two, previousEncryptionKeys: [one] });
});

test('a new key is created beside the old one, readable only by its owner, and not twice', () => {
  writeFileSync(file('encryption.key'), one, { mode: 0o600 });
  makeNewKey(config());
  const { encryptionKey, previousEncryptionKeys } = config();
  expect(previousEncryptionKeys).toEqual([one]);
  expect(encryptionKey).not.toBe(one);
  for (const name of ['encryption.key', 'encryption.key.previous'])
    expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  expect(() => makeNewKey(config())).toThrow('not finished');
  expect(() => makeNewKey(config({ ENCRYPTION_KEY: one }))).toThrow('environment');
});

test.each([
  ['nothing was done', {}],
  ['the old key was being copied', { 'encryption.key.previous.next': one.slice(0, 10) }],
  ['the old key had its second name', { 'encryption.key.previous': one }],
  [
    'the new key was being written',
    { 'encryption.key.previous': one, 'encryption.key.next': two.slice(0, 10) },
  ],
  ['the new key waited for its place', { 'encryption.key.previous': one, 'encryption.key.next': two }],
])('a crash while the key is created loses nothing, and it can be created again: %s', (_, left) => {
  writeFileSync(file('encryption.key'), one);
  for (const [name, text] of Object.entries(left)) writeFileSync(file(name), text);
  expect(config()).toMatchObject({ encryptionKey: one, previousEncryptionKeys: [] });
  makeNewKey(config());
  expect(config().previousEncryptionKeys).toEqual([one]);
  expect(readdirSync(scratch.path).toSorted()).toEqual(['encryption.key', 'encryption.key.previous']);
});

test('a key that is out of use is kept under another name', () => {
  writeFileSync(file('encryption.key'), one);
  writeFileSync(file('encryption.key.previous'), two);
  const retired = retirePreviousKey(config(), 'ba010c99') as string;
  expect(readFileSync(retired, 'utf8')).toBe(two);
  expect(config().previousEncryptionKeys).toEqual([]);
});

test('a link planted where a snapshot or a key is written is replaced, never followed', async () => {
  writeFileSync(file('victim'), 'untouched');
  writeFileSync(file('encryption.key'), one);
  mkdirSync(file('spool'));
  const planted = [
    `spool/directory.snapshot.${hostname()}-${process.pid}`,
    'encryption.key.next',
    'encryption.key.previous.next',
  ];
  for (const name of planted) symlinkSync(file('victim'), file(name));
  const { uid, gid } = statSync(file('victim'));
  const rows = { revision: 1, secrets: [] } as unknown as Parameters<DirectorySnapshot['write']>[0];
  await new DirectorySnapshot(file('spool'), new SecretBox(one)).write(rows);
  makeNewKey(config());
  expect(readFileSync(file('victim'), 'utf8')).toBe('untouched');
  expect(statSync(file('victim'))).toMatchObject({ uid, gid });
  for (const name of ['spool/directory.snapshot', 'encryption.key', 'encryption.key.previous'])
    expect(lstatSync(file(name)).isFile()).toBe(true);
});

describe('with the embedded database and its key in a file', () => {
  let service: ServiceHere | null = null;
  beforeEach(() => {
    scratch.remove();
    scratch = preparedDataDir();
  });
  afterEach(async () => {
    await stop();
  });
  const cli = (...words: string[]) => warmLeadgate([...words, '--json'], { env: { DATA_DIR: scratch.path } });
  const stop = async () => {
    await service?.stop();
    service = null;
  };

  test('the key is replaced with one restart, or with none while the service is stopped', async () => {
    service = await startHere(scratch.path);
    const [form] = (await operatorOf(service)(['form', 'list', '--json'])).json;
    const secret = (await operatorOf(service)(['secret', 'rotate', form.slug])).stdout.trim();
    const send = async () => {
      const words = ['lead', 'send', '{"email":"a@example.com"}', '--slug', form.slug];
      return (await operatorOf(service as ServiceHere)(words, { env: { LEADGATE_SECRET: secret } })).code;
    };
    const first = config().encryptionKey;

    const made = await cli('rekey', '--new-key');
    expect(made, made.stderr).toMatchObject({ code: 0, json: { restart_needed: true } });
    expect(await send()).toBe(0);
    // Too early: the running service has the old key.
    expect((await cli('rekey')).code).toBe(6);
    expect((await cli('rekey', '--new-key')).code).toBe(6);
    await stop();
    service = await startHere(scratch.path);
    expect(await send()).toBe(0);
    const done = await cli('rekey');
    expect(done, done.stderr).toMatchObject({ code: 0, json: { remaining: 0, previous_key_needed: false } });
    expect(existsSync(file('encryption.key.previous'))).toBe(false);
    const retired = readdirSync(scratch.path).filter((name) => name.includes('retired'));
    expect(retired.map((name) => readFileSync(file(name), 'utf8').trim())).toEqual([first]);
    expect(await send()).toBe(0);
    await stop();

    const again = await cli('rekey', '--new-key');
    expect(again, again.stderr).toMatchObject({ code: 0, json: { restart_needed: false, remaining: 0 } });
    for (const name of readdirSync(scratch.path)) if (name.includes('retired')) rmSync(file(name));
    service = await startHere(scratch.path);
    expect(await send()).toBe(0);
    expect(service.output()).not.toContain('decrypt');
    const doctor = await warmLeadgate(['doctor', '--json'], {
      env: { DATA_DIR: scratch.path, PORT: new URL(service.url).port },
    });
    expect(doctor.json.find(({ check }: { check: string }) => check === 'encryption key').status).toBe('ok');
  });
});
