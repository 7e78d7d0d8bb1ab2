import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { compileCache, preparedDataDir } from '../support/command-line/process.ts';
import { eventually } from '../support/diagnostics.ts';
import { operatorKey } from '../support/service.ts';

// Real commands that start several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const startMsMax = 120_000;
const root = join(import.meta.dirname, '../..');
const dataDir = preparedDataDir();
afterAll(() => dataDir.remove());

// The PATH of a person's shell: npm adds node_modules/.bin itself.
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

let child: ChildProcess | null = null;
let ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
let family: number[] = [];

afterEach(() => {
  // Left by a failed test. Each was started by this test.
  for (const pid of family.filter(isAlive)) process.kill(pid, 'SIGKILL');
});

/** Runs a command until the service it starts is ready, and finds all processes it has started. */
async function startWith(program: string, ...words: string[]): Promise<void> {
  const env = {
    PATH,
    HOME: process.env.HOME ?? '/',
    PORT: '0',
    DATA_DIR: dataDir.path,
    OPERATOR_KEY: operatorKey,
    NODE_COMPILE_CACHE: compileCache,
  };
  const started = spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  let text = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (part) => {
      text += part;
    });
  }
  ended = new Promise((resolve) => started.once('exit', (code, signal) => resolve({ code, signal })));
  await eventually(
    async () => text,
    (shown) => shown.includes('Press Ctrl-C') || started.exitCode !== null,
    startMsMax,
  );
  expect(text).toContain('is ready at');
  family = descendants(started.pid as number);
  const server = Number(readFileSync(join(dataDir.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  expect(family).toContain(server);
}

/** A process and its descendants. */
function descendants(top: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [top];
  for (const pid of found) for (const [own = 0, parent] of rows) if (parent === pid) found.push(own);
  return found;
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

async function expectNobodyLeft(): Promise<void> {
  const left = await eventually(
    async () => family.filter(isAlive),
    (alive) => alive.length === 0,
    startMsMax,
  );
  expect(left).toEqual([]);
}

test('SIGTERM to npm start ends the service and its database first, and npm with code 0', async () => {
  await startWith('npm', 'start');
  process.kill(child?.pid as number, 'SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(family.filter(isAlive)).toEqual([]);
});

test('SIGHUP to npm start, which npm does not forward, leaves no process either', async () => {
  await startWith('npm', 'start');
  process.kill(child?.pid as number, 'SIGHUP');
  await expectNobodyLeft();
});

// SIGTERM is no harder: npx may forward it, or it ends as here.
test('SIGKILL to npx leadgate start leaves no process', async () => {
  await startWith('npx', 'leadgate', 'start');
  process.kill(child?.pid as number, 'SIGKILL');
  await expectNobodyLeft();
});

// test/cli/start.test.ts tests the signals that it forwards.
test('killing the installed command stops the service and its database', async () => {
  await startWith(join(root, 'bin/leadgate.js'), 'start');
  process.kill(child?.pid as number, 'SIGKILL');
  await expectNobodyLeft();
});
