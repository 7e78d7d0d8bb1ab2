import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { exitCodes } from '../../src/cli/exit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { databaseUrl } from '../support/postgres.ts';
import { type ServiceProcess, spawnService, startProcess, temporaryDataDir } from '../support/process.ts';

// Each start is a process of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = temporaryDataDir();
const started: ServiceProcess[] = [];

afterEach(async () => {
  for (const service of started.splice(0)) await service.kill('SIGTERM');
});

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startProcess(dataDir.path, env);
  started.push(service);
  return service;
}

const lockFile = join(dataDir.path, 'postgres/postmaster.pid');
const databasePid = () => Number(readFileSync(lockFile, 'utf8').split('\n')[0]);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An orphan that ended may wait for ever for a parent that does not ask for it.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops the database too and ends with code 0',
  async (signal) => {
    const service = await start();
    const pid = databasePid();
    expect(isAlive(pid)).toBe(true);
    expect(await service.kill(signal)).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(lockFile)).toBe(false);
  },
);

test('a second signal does not cut the end short', async () => {
  const service = await start();
  const pid = databasePid();
  service.child.stdout?.on('data', (part) => {
    if (String(part).includes('Stopping.')) service.child.kill('SIGINT');
  });
  expect(await service.kill('SIGINT')).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

test('after kill -9 the database ends too', async () => {
  const service = await start();
  const orphan = databasePid();
  await service.kill('SIGKILL');
  expect(
    await eventually(
      async () => isAlive(orphan),
      (isIt) => !isIt,
    ),
  ).toBe(false);
  expect(existsSync(lockFile)).toBe(false);
});

test('after kill -9 the next start takes over from a database that did not end in time', async () => {
  const service = await start();
  const orphan = databasePid();
  process.kill(orphan, 'SIGSTOP');
  await service.kill('SIGKILL');
  expect(isAlive(orphan)).toBe(true);
  const next = start();
  process.kill(orphan, 'SIGCONT');
  await next;
  expect(isAlive(orphan)).toBe(false);
});

test('a stale lock file that names a living process of somebody else does not prevent a start', async () => {
  const service = await start();
  await service.kill('SIGTERM');
  writeFileSync(lockFile, `${process.pid}\n${join(dataDir.path, 'postgres')}\n`);
  await start();
  expect(isAlive(process.pid)).toBe(true);
});

test('a second service on the same data directory is refused with a sentence, and the first goes on', async () => {
  const first = await start();
  const { ended, output } = spawnService({ DATA_DIR: dataDir.path });
  expect(await ended).toBe(exitCodes.conflict.code);
  expect(output()).toContain('is in use by another Leadgate');
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test('a database that is killed is started again, and the service is ready again', async () => {
  const service = await start();
  const killed = databasePid();
  process.kill(killed, 'SIGKILL');
  const isStartedAgain = () => existsSync(lockFile) && databasePid() !== killed;
  const isReady = async () => isStartedAgain() && (await fetch(`${service.url}/readyz`)).ok;
  expect(await eventually(isReady, (isIt) => isIt)).toBe(true);
});

test('all faults of the configuration are printed at once, with no stack', async () => {
  const { ended, output } = spawnService({
    DATA_DIR: dataDir.path,
    PORT: 'http',
    ROLE: 'boss',
    OPERATOR_KEY: 'short',
    SMTP_URL: 'smtp://localhost',
    LOG_LEVEL: 'loud',
  });
  expect(await ended).toBe(exitCodes.usage.code);
  for (const part of ['PORT', 'ROLE', 'OPERATOR_KEY', 'SMTP_FROM']) expect(output()).toContain(part);
  expect(output()).toContain('LOG_LEVEL: must be one of trace, debug, info');
  expect(output()).not.toContain('    at ');
});

const aFile = import.meta.filename;
const noDatabase = () => ({ DATABASE_URL: databaseUrl(inject('serverUrl'), 'no_such_database') });
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each<[string, () => Record<string, string>, string]>([
  [
    'an address that is not ours',
    () => ({ HOST: '192.0.2.1' }),
    'HOST: this machine has no address 192.0.2.1',
  ],
  ['a host name nobody knows', () => ({ HOST: 'no-host.invalid' }), 'HOST: this machine has no address'],
  ['a file in place of DATA_DIR', () => ({ DATA_DIR: aFile }), `DATA_DIR: ${aFile} cannot be used`],
  ['a database nobody knows', noDatabase, 'DATABASE_URL: PostgreSQL refuses it'],
  ['the same port twice', () => ({ PORT: '4000', METRICS_PORT: '4000' }), 'METRICS_PORT: must be another'],
])('%s is reported in a sentence, with no stack', async (_name, env, sentence) => {
  const { ended, output } = spawnService({ DATA_DIR: dataDir.path, DATABASE_URL: database.url, ...env() });
  expect(await ended).toBe(exitCodes.usage.code);
  expect(output()).toContain(sentence);
  expect(output()).not.toContain('    at ');
});

test('a port for metrics that is taken is called by its own name', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  const env = { DATA_DIR: dataDir.path, DATABASE_URL: database.url, METRICS_PORT: String(port) };
  const { ended, output } = spawnService(env);
  await ended;
  blocker.close();
  expect(output()).toContain('Set METRICS_PORT to another one');
});

test('a port that is taken is reported with the way out, and the database is stopped again', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  const { ended, output } = spawnService({ DATA_DIR: dataDir.path, PORT: String(port) });
  expect(await ended).toBe(exitCodes.conflict.code);
  blocker.close();
  expect(output()).toContain('Set PORT to another one');
  expect(existsSync(lockFile)).toBe(false);
});
