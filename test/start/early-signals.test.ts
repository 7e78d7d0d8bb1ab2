import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { cliScript } from '../support/command-line/command-line.ts';
import { compileCache, preparedDataDir, spawnService, usersNodes } from '../support/command-line/process.ts';
import { eventually } from '../support/diagnostics.ts';
import { operatorKey } from '../support/service.ts';

// Real processes on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const dataDir = preparedDataDir();
const lockFile = join(dataDir.path, 'postgres/postmaster.pid');
let left: (() => void) | null = null;
afterEach(() => left?.());
afterAll(() => dataDir.remove());

/** Each process that loads the module sends itself the signal at that moment. */
function signalAt(path: string, signal: NodeJS.Signals): Record<string, string> {
  const script = `
    import module from 'node:module';
    module.registerHooks?.({
      load(url, context, next) {
        if (url.endsWith('${path}')) process.kill(process.pid, '${signal}');
        return next(url, context);
      },
    });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

function start(env: Record<string, string>) {
  const started = spawnService({ DATA_DIR: dataDir.path, ...env });
  left = () => started.child.kill('SIGKILL');
  return started;
}

type Started = Pick<ReturnType<typeof start>, 'child' | 'output'>;

/** Resolves with the output when it contains that text, or when the process has ended. */
const printed = ({ child, output }: Started, text: string) =>
  eventually(
    async () => output(),
    (shown) => shown.includes(text) || child.exitCode !== null || child.signalCode !== null,
  );

describe('a signal that comes while a process loads its code', () => {
  test('SIGUSR2 does not end a single process, which then says why it ignores it', async () => {
    const service = start(signalAt('/src/config.ts', 'SIGUSR2'));
    expect(await printed(service, 'Press Ctrl-C')).toContain('rolling restart ignored');
    expect(service.output()).toContain('is ready at');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test('SIGUSR2 ends neither a supervisor nor its workers, and the rolling restart follows the start', async () => {
    const service = start({ WORKERS: '2', ...signalAt('/src/config.ts', 'SIGUSR2') });
    expect(await printed(service, 'rolling restart finished')).toContain('rolling restart finished');
    expect(service.output()).not.toContain('worker exited');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test('SIGINT from the terminal does not end a worker, which leaves it to its supervisor', async () => {
    const service = start({ WORKERS: '2', ...signalAt('/start/supervisor/run-worker.ts', 'SIGINT') });
    expect(await printed(service, 'Press Ctrl-C')).toContain('is ready at');
    expect(service.output()).not.toContain('worker exited');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test.each([
    ['SIGTERM', '/src/config.ts', {}],
    ['SIGINT', '/src/start/run.ts', {}],
    ['SIGHUP', '/src/start/service.ts', {}],
    ['SIGTERM', '/start/supervisor/run-supervisor.ts', { WORKERS: '2' }],
  ] as const)(
    '%s, while it loads %s, stops it with code 0 before a database is started',
    async (signal, path, env) => {
      const service = start({ ...env, ...signalAt(path, signal), LOG_LEVEL: 'debug' });
      expect(await service.ended).toBe(0);
      expect(service.output()).not.toContain('database system');
      expect(existsSync(lockFile)).toBe(false);
    },
  );
});

/** Whether the process catches it. Otherwise it would end it. */
function catches(pid: number | undefined, signal: NodeJS.Signals): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const caught = BigInt(`0x${/^SigCgt:\s+(\w+)$/m.exec(status)?.[1]}`);
  return ((caught >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}

describe.runIf(process.platform === 'linux').each(usersNodes())('leadgate start, with %s', (_name, node) => {
  test('is not ended by SIGUSR2, however early and often it comes', async () => {
    const isLauncher = node !== process.execPath;
    const child = spawn(node, [cliScript, 'start'], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        DATA_DIR: dataDir.path,
        OPERATOR_KEY: operatorKey,
        NODE_COMPILE_CACHE: compileCache,
        // Without a launcher, the process soon runs another program, which only a signal of its own cannot miss.
        ...(isLauncher ? {} : signalAt('/src/cli/main.ts', 'SIGUSR2')),
      },
    });
    left = () => child.kill('SIGKILL');
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        text += part;
      });
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    const knock = async () => {
      if (isLauncher && catches(child.pid, 'SIGUSR2')) child.kill('SIGUSR2');
      return text;
    };
    await eventually(
      knock,
      () => text.includes('Press Ctrl-C') || child.exitCode !== null || child.signalCode !== null,
    );
    expect(text).toContain('is ready at');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(existsSync(lockFile)).toBe(false);
  });
});
