import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { undoLater } from '../undo.ts';

const stopMsMax = 30_000;

export interface Child {
  readonly script: string;
  readonly process: ChildProcess;
  /** Resolves when the process has exited. Throws if it failed or had to be killed. */
  stop(): Promise<void>;
}

/**
 * Starts one of our TypeScript files (or the service) with this version of Node and the flags of `npm start`. Its
 * standard error goes to ours, or to the given open file.
 */
export function startScript(
  script: string,
  env: Record<string, string>,
  errorOutput: 'inherit' | number = 'inherit',
): Child {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', '--no-allocation-site-pretenuring', script],
    {
      env: { ...inheritedEnv(), ...env },
      stdio: ['ignore', 'ignore', errorOutput],
      // In its own process group: Ctrl-C reaches only the benchmark, which then stops each child once and in order.
      detached: true,
    },
  );
  return { script, process: child, stop: undoLater(() => stopChild(child, script)) };
}

/** Runs a program and returns its output. */
export async function runCommand(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = undoLater(async () => void child.kill());
  const closed = once(child, 'close');
  child.stdout.setEncoding('utf8');
  const output = (await child.stdout.toArray()).join('');
  const [code] = await closed;
  await stop();
  if (code !== 0) throw new Error(`${command} exited with ${code}:\n${output}`);
  return output;
}

/** Nothing else is inherited: the benchmark must not write to the caller's DATABASE_URL. */
function inheritedEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'LANG', 'NODE_OPTIONS'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function stopChild(child: ChildProcess, script: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
    await exited;
    clearTimeout(timer);
  }
  if (child.signalCode === 'SIGKILL') throw new Error(`${script} did not stop within ${stopMsMax} ms`);
  if (child.exitCode) throw new Error(`${script} exited with ${child.exitCode}`);
}
