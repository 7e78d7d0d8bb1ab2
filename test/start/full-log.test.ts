import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../bench/port.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { compileCache, preparedDataDir } from '../support/command-line/process.ts';
import { eventually, metricOf } from '../support/diagnostics.ts';
import { createSender, post } from '../support/sender.ts';
import { callApi, operatorKey, type TestService } from '../support/service.ts';

// Real processes on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, '../..');
const dataDir = preparedDataDir();
let left: (() => void) | null = null;
afterEach(() => left?.());
afterAll(() => dataDir.remove());

/** The service with that standard output and standard error, which cannot tell the port. */
async function startWith(output: number | 'pipe', env: Record<string, string>) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: dataDir.path,
      OPERATOR_KEY: operatorKey,
      NODE_COMPILE_CACHE: compileCache,
      ...env,
    },
    stdio: ['ignore', output, output],
  });
  left = () => child.kill('SIGKILL');
  // Nobody reads what it prints.
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const url = `http://127.0.0.1:${port}`;
  const service: TestService = {
    url,
    operatorKey,
    clock: systemClock,
    databaseUrl: '',
    api: (method, path, body) => callApi(url, method, path, body),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => child.exitCode !== null,
    );
  expect(await eventually(isReady, (is) => is)).toBe(true);
  return { service, ended, env: { PORT: String(port), DATA_DIR: dataDir.path, OPERATOR_KEY: operatorKey } };
}

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  test.each([
    ['a full disk', '/dev/full', {}],
    ['a full disk, with several workers', '/dev/full', { WORKERS: '2' }],
    ['a closed pipe', null, {}],
  ])(
    '%s under the log stops neither leads nor the service: lines are counted, and doctor says so',
    async (_what, path, more) => {
      const output = path === null ? 'pipe' : openSync(path, 'w');
      const { service, ended, env } = await startWith(output, more);
      if (output !== 'pipe') closeSync(output);
      // Each change of the operator is a line.
      const sender = await createSender(service);
      const wrong = await fetch(`${service.url}/metrics`, { headers: { Authorization: 'Bearer wrong' } });
      expect(wrong.status).toBe(401);
      const lines = await eventually(
        () => metricOf(service, 'leadgate_log_lines_dropped_total'),
        (count) => count > 1,
      );
      expect(lines).toBeGreaterThan(1);
      expect((await post(service, sender, 'server')).status).toBe(202);
      expect(await metricOf(service, 'leadgate_log_writable')).toBe(0);
      const { json } = await warmLeadgate(['doctor', '--json'], { env });
      expect(json).toContainEqual({
        check: 'service log',
        status: 'fault',
        text: expect.stringMatching(/^The log cannot be written: [\d,]+ lines? dropped since the start\.$/),
        fix: expect.stringContaining('space'),
      });
      await service.stop();
      expect(await ended).toBe(0);
    },
  );
});
