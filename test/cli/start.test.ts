import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { programs } from '../../src/cli/become.ts';
import { cliScript, leadgate } from '../support/command-line/command-line.ts';
import { compileCache, preparedDataDir, usersNodes } from '../support/command-line/process.ts';
import { operatorKey } from '../support/service.ts';

const dataDir = preparedDataDir();
afterAll(() => dataDir.remove());

/** Ctrl-C comes twice: from the terminal, and from whoever started the command. An older Node passes on what it gets. */
const signalsFor = (node: string) =>
  node === process.execPath ? (['SIGINT', 'SIGINT'] as const) : (['SIGTERM', 'SIGINT'] as const);

test.each(usersNodes())(
  'leadgate start, with %s, runs the service until it is told to stop, and a second signal does not cut its end short',
  async (_name, node) => {
    const [first, second] = signalsFor(node);
    const child = spawn(node, [cliScript, 'start'], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        DATA_DIR: dataDir.path,
        OPERATOR_KEY: operatorKey,
        NODE_COMPILE_CACHE: compileCache,
      },
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      const onData = (part: Buffer) => {
        text += part;
        if (String(part).includes('Stopping.')) child.kill(second);
        const ready = /is ready at (\S+)/.exec(text)?.[1];
        if (ready !== undefined) resolve(ready);
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.once('exit', () => reject(new Error(`It ended instead of starting:\n${text}`)));
    });
    const env = { LEADGATE_URL: url, OPERATOR_KEY: operatorKey };
    expect((await leadgate(['workspace', 'list'], { env })).code).toBe(0);
    child.kill(first);
    expect(await ended).toBe(0);
    expect(existsSync(join(dataDir.path, 'postgres/postmaster.pid'))).toBe(false);
  },
);

test.each(Object.entries(programs))(
  'leadgate %s runs what npm runs, with the same flags of Node',
  (name, program) => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    // Replaces the shell, which would keep the signals that npm sends to itself.
    expect(scripts[name]).toBe(['exec node', ...program.flags, `${program.path}.ts`].join(' '));
  },
);
