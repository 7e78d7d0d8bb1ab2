import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadgate, warmLeadgate } from '../support/command-line/command-line.ts';
import { preparedDataDir, temporaryDataDir } from '../support/command-line/process.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { createSender } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';
import { type ServiceHere, startHere } from '../support/service-here.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
  readonly fix: string | null;
}

async function examine(
  env: Record<string, string>,
  run = warmLeadgate,
): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, json, stderr } = await run(['doctor', '--json'], { env: { PORT: '0', ...env } });
  expect(json, stderr).toBeInstanceOf(Array);
  return { code, findings: json };
}

const of = (findings: Finding[], check: string) => findings.find((finding) => finding.check === check);
const notOk = (findings: Finding[]) => findings.filter(({ status }) => status !== 'ok');

describe('with a database of its own', () => {
  let service: TestService;
  let database: TestDatabase;
  const dataDir = temporaryDataDir();
  const encryptionKey = 'encryption-key-of-the-tests-0123456789';

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestService({ databaseUrl: database.url });
    await createSender(service);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    dataDir.remove();
  });

  const env = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir.path, ENCRYPTION_KEY: encryptionKey });

  test('if nothing is wrong, nothing is found and nothing is created', async () => {
    rmSync(dataDir.path, { recursive: true });
    const { code, findings } = await examine(env(), leadgate);
    // The disk of the machine that runs the tests may be small.
    expect(notOk(findings).filter(({ check }) => !check.endsWith('_DIR'))).toEqual([]);
    expect(code).toBe(0);
    expect(of(findings, 'durability')?.text).toContain('fsync on');
    expect(of(findings, 'encryption key')?.text).toContain('decrypts all webhook secrets');
    expect(of(findings, 'held submissions')?.text).toBe(
      '0 of 2048 MiB are used, and 0 rejected requests were not kept in 14 days.',
    );
    expect(() => chmodSync(dataDir.path, 0o700)).toThrow('ENOENT');
    mkdirSync(dataDir.path);
  });

  test('a key that cannot decrypt the secrets is found, with a fix', async () => {
    const { code, findings } = await examine({ ...env(), ENCRYPTION_KEY: 'x'.repeat(32) });
    expect(code).toBe(1);
    expect(of(findings, 'encryption key')).toMatchObject({
      status: 'fault',
      fix: expect.stringContaining('ENCRYPTION_KEY'),
    });
  });

  test('a database with synchronous_commit off is fine, because every connection turns it on', async () => {
    const pool = openTestPool(database.url);
    const name = new URL(database.url.replace('@/', '@x/')).pathname.slice(1);
    await pool.query(`alter database ${name} set synchronous_commit = off`);
    const { findings } = await examine(env());
    await pool.query(`alter database ${name} reset synchronous_commit`);
    await pool.end();
    expect(of(findings, 'durability')).toMatchObject({
      status: 'ok',
      text: expect.stringContaining('synchronous_commit on'),
    });
  });

  test('a key file that others can read is found', async () => {
    const path = join(dataDir.path, 'operator.key');
    writeFileSync(path, operatorKey, { mode: 0o644 });
    const { findings } = await examine(env());
    expect(of(findings, `file ${path}`)).toMatchObject({ status: 'fault', fix: `chmod 600 ${path}` });
    rmSync(path);
  });

  test('a port in use by another program is found; the port of this service is not', async () => {
    const blocker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const taken = await examine({ ...env(), OPERATOR_KEY: operatorKey, PORT: String(port) });
    blocker.close();
    expect(of(taken.findings, 'port')).toMatchObject({
      status: 'fault',
      fix: expect.stringContaining('PORT'),
    });
    const ours = await examine({ ...env(), OPERATOR_KEY: operatorKey, PORT: new URL(service.url).port });
    expect(of(ours.findings, 'port')).toMatchObject({ status: 'ok' });
  });

  test('an outdated schema is found, and leadgate migrate fixes it', async () => {
    const empty = await createTestDatabase('template0');
    const { url } = empty;
    const behind = await examine({ ...env(), DATABASE_URL: url });
    expect(of(behind.findings, 'schema')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('migrate'),
    });
    const migrated = await warmLeadgate(['migrate', '--json'], { env: { ...env(), DATABASE_URL: url } });
    expect(migrated.code).toBe(0);
    expect(migrated.json.applied).toContain('0001_directory');
    const again = await warmLeadgate(['migrate'], { env: { ...env(), DATABASE_URL: url } });
    expect(again.stdout).toBe('The schema is up to date.\n');
    expect(of((await examine({ ...env(), DATABASE_URL: url })).findings, 'schema')).toMatchObject({
      status: 'ok',
    });
    await empty.drop();
  });
});

test('a database that does not respond is an error for doctor, and ends migrate with 3', async () => {
  const env = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATA_DIR: join(tmpdir(), 'leadgate-none'),
  };
  const { code, findings } = await examine(env);
  expect(code).toBe(1);
  expect(of(findings, 'database')).toMatchObject({
    status: 'fault',
    fix: expect.stringContaining('DATABASE_URL'),
  });
  expect((await leadgate(['migrate'], { env })).code).toBe(3);
});

test('an invalid configuration is explained, and nothing else is checked', async () => {
  const { code, findings } = await examine({ PORT: 'http', ROLE: 'boss' }, leadgate);
  expect(code).toBe(1);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ check: 'configuration', status: 'fault' });
  for (const name of ['PORT', 'ROLE']) expect(findings[0]?.text).toContain(name);
});

describe('with the embedded database', () => {
  const dataDir = preparedDataDir();
  const empty = temporaryDataDir();
  let service: ServiceHere | null = null;
  afterAll(async () => {
    await service?.stop();
    dataDir.remove();
    empty.remove();
  });

  test('doctor works before the first start, while the service runs and while it is stopped', async () => {
    const env = { DATA_DIR: dataDir.path, OPERATOR_KEY: operatorKey };
    const before = await examine({ ...env, DATA_DIR: empty.path });
    expect(of(before.findings, 'database')?.text).toContain('first start');
    service = await startHere(dataDir.path);
    const running = await examine({ ...env, PORT: new URL(service.url).port });
    expect(running.code).toBe(0);
    expect(of(running.findings, 'port')?.text).toContain('by this Leadgate');
    expect(of(running.findings, 'schema')).toMatchObject({ status: 'ok' });
    await service.stop();
    service = null;
    const stopped = await examine(env);
    expect(stopped.code).toBe(0);
    expect(of(stopped.findings, 'encryption key')?.text).toContain('decrypts all webhook secrets');
  });
});
