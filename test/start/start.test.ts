import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { exitCodes } from '../../src/cli/exit.ts';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/config-error.ts';
import { explainStartError, StartError } from '../../src/start/process/start-error.ts';
import { leadgate } from '../support/command-line/command-line.ts';
import {
  compileCache,
  preparedDataDir,
  type ServiceProcess,
  spawnService,
  startProcess,
  temporaryDataDir,
} from '../support/command-line/process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { databaseUrl } from '../support/database/postgres.ts';
import { eventually } from '../support/diagnostics.ts';
import { operatorKey, startTestService } from '../support/service.ts';

// Each start is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataDir = preparedDataDir();
const lockFile = join(dataDir.path, 'postgres/postmaster.pid');
const databasePid = () => Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
let service: ServiceProcess | null = null;

afterAll(async () => {
  await service?.kill('SIGTERM');
  dataDir.remove();
});

async function start(): Promise<ServiceProcess> {
  service = await startProcess(dataDir.path);
  return service;
}

/** The one that the previous test left running, or a new one. */
async function running(): Promise<ServiceProcess> {
  const isUp = service !== null && service.child.exitCode === null && service.child.signalCode === null;
  return isUp ? (service as ServiceProcess) : start();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie may remain if its new parent never waits for it.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('a stale lock file that names a running process of another program does not prevent a start', async () => {
  writeFileSync(lockFile, `${process.pid}\n${join(dataDir.path, 'postgres')}\n`);
  await start();
  expect(isAlive(process.pid)).toBe(true);
});

test('a second service on the same data directory is refused with a message, and the first keeps running', async () => {
  const first = await running();
  const { ended, output } = spawnService({ DATA_DIR: dataDir.path });
  expect(await ended).toBe(exitCodes.conflict.code);
  expect(output()).toContain('is in use by another Leadgate');
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test('a database that is killed is started again, and the service is ready again', async () => {
  const { url } = await running();
  const killed = databasePid();
  process.kill(killed, 'SIGKILL');
  const isStartedAgain = () => existsSync(lockFile) && databasePid() !== killed;
  const isReady = async () => isStartedAgain() && (await fetch(`${url}/readyz`)).ok;
  expect(await eventually(isReady, (isIt) => isIt)).toBe(true);
});

test('after kill -9 the database ends too', async () => {
  const { kill } = await running();
  const orphan = databasePid();
  await kill('SIGKILL');
  expect(
    await eventually(
      async () => isAlive(orphan),
      (isIt) => !isIt,
    ),
  ).toBe(false);
  expect(existsSync(lockFile)).toBe(false);
});

test('after kill -9 the next start takes over from a database that did not end in time', async () => {
  const { kill } = await running();
  const orphan = databasePid();
  process.kill(orphan, 'SIGSTOP');
  await kill('SIGKILL');
  expect(isAlive(orphan)).toBe(true);
  const next = start();
  process.kill(orphan, 'SIGCONT');
  await next;
  expect(isAlive(orphan)).toBe(false);
});

// test/cli/start.test.ts has the same for SIGINT and SIGTERM.
test('SIGHUP stops the database too and exits with code 0, and a second one does not interrupt that', async () => {
  const { child, kill } = await running();
  const pid = databasePid();
  expect(isAlive(pid)).toBe(true);
  child.stdout?.on('data', (part) => {
    if (String(part).includes('Stopping.')) child.kill('SIGHUP');
  });
  expect(await kill('SIGHUP')).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(lockFile)).toBe(false);
});

test('all configuration errors are printed together, without a stack', async () => {
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
const noDatabase = { DATABASE_URL: databaseUrl(inject('serverUrl'), 'no_such_database') };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The error of a start in this process, as run() would report it. */
async function startEndsWith(env: Record<string, string>): Promise<unknown> {
  const own = temporaryDataDir();
  const given = { OPERATOR_KEY: operatorKey, DATA_DIR: own.path, DATABASE_URL: database.url, ...env };
  try {
    // Reads or creates the keys, as the start of a process does.
    const config = readConfig(given);
    const service = startTestService({ databaseUrl: config.databaseUrl as string, env });
    return await service.catch((error) => explainStartError(error, config));
  } catch (error) {
    return error;
  } finally {
    own.remove();
  }
}

test.each([
  ['an address that is not ours', { HOST: '192.0.2.1' }, 'HOST: this machine has no address 192.0.2.1'],
  ['a name that nobody knows', { HOST: 'no-host.invalid' }, 'HOST: this machine has no address'],
  ['a file in place of a folder', { DATA_DIR: aFile }, `DATA_DIR: cannot use ${aFile}`],
  ['no such database', noDatabase, 'does not exist. Create the database, or correct its name.'],
  ['a port twice', { PORT: '4000', METRICS_PORT: '4000' }, 'METRICS_PORT: must differ'],
])('%s is a configuration error with a clear message', async (_what, env, sentence) => {
  const error = await startEndsWith(env);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).toContain(sentence);
});

describe('a DATABASE_URL that cannot be used', () => {
  const own = temporaryDataDir();
  afterAll(() => own.remove());

  async function firstStart(host: string) {
    const { ended, output } = spawnService({
      DATA_DIR: join(own.path, host.replaceAll(/\W/g, '-')),
      DATABASE_URL: `postgres://ada:hush-${host.length}@${host}/leads`,
    });
    return { code: await ended, text: output() };
  }

  test.each([['127.0.0.1:1'], ['no-host.invalid'], ['127.0.0.1:1,127.0.0.1:2']])(
    'ends the first start in one sentence without the password if nothing responds: %s',
    async (host) => {
      const { code, text } = await firstStart(host);
      expect(code).toBe(exitCodes.unreachable.code);
      expect(text).toMatch(/^PostgreSQL does not respond: .* Start it, or correct DATABASE_URL\.\n$/);
      expect(text).not.toContain('hush');
    },
  );

  // The server answers each message of a client with the next of these, and then waits.
  test.each([
    [
      'asks for a password that is missing',
      'password must be a string. Correct the user and the password.',
      ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0c\0\0\0\x0br=0a'],
    ],
    [
      'asks for TLS',
      'no encryption. Add the parameter sslmode=verify-full.',
      ['E\0\0\0\x38SFATAL\0C28000\0Mno pg_hba.conf entry, no encryption\0\0'],
    ],
    ['has no TLS', 'not support SSL connections. Remove sslmode, or turn on TLS on the server.', ['N']],
  ])('ends the start in one sentence if the server %s', async (_what, sentence, answers) => {
    const left = [...answers];
    const server = createServer((socket) =>
      socket.on('error', () => {}).on('data', () => socket.write(left.shift() ?? '', 'latin1')),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const query = answers[0] === 'N' ? '?sslmode=verify-full' : '';
    const { ended, output } = spawnService({
      DATA_DIR: join(own.path, String(port)),
      DATABASE_URL: `postgres://ada@127.0.0.1:${port}/leads${query}`,
    });
    expect(await ended).toBe(exitCodes.usage.code);
    expect(output()).toMatch(/^DATABASE_URL: .*\n$/);
    expect(output()).toContain(sentence);
    server.close();
  });

  test('does not end a later start, which waits for PostgreSQL', async () => {
    const DATA_DIR = join(own.path, 'later');
    const first = await startProcess(DATA_DIR, { DATABASE_URL: database.url });
    await first.kill('SIGTERM');
    const later = spawnService({ DATA_DIR, DATABASE_URL: 'postgres://ada@127.0.0.1:1/leads' });
    await eventually(
      async () => later.output(),
      (text) => text.includes('Waiting for it.'),
    );
    later.child.kill('SIGTERM');
    expect(await later.ended).toBe(0);
  });
});

test('a port in use is reported with its variable and a solution, and the database is stopped again', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const port = String((blocker.address() as { port: number }).port);
  const metrics = await startEndsWith({ METRICS_PORT: port });
  await service?.kill('SIGTERM');
  // As a command, whose exit code a script sees.
  const env = { DATA_DIR: dataDir.path, PORT: port, NODE_COMPILE_CACHE: compileCache };
  const whole = await leadgate(['start'], { env });
  blocker.close();
  expect(metrics).toBeInstanceOf(StartError);
  expect((metrics as Error).message).toContain('Set METRICS_PORT to another port');
  expect(whole.code).toBe(exitCodes.conflict.code);
  expect(whole.stderr).toContain(`Port ${port} is in use. Set PORT to another port`);
  expect(whole.stderr).not.toContain('    at ');
  expect(existsSync(lockFile)).toBe(false);
});
