import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface HostedCommand {
  readonly words: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string | undefined;
}

export interface HostedResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command without input in a process that stays for the next one, because starting takes most of the time. */
export function runHosted(command: HostedCommand): Promise<HostedResult> {
  const result = last.then(() => ask(startedHost(), command));
  last = result.catch(() => {});
  return result;
}

function startedHost(): ChildProcess {
  if (host !== undefined && host.exitCode === null && host.signalCode === null) return host;
  host = fork(join(import.meta.dirname, 'command-host.ts'), {
    cwd: join(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH ?? '' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [host.stdout, host.stderr]) stream?.setEncoding('utf8');
  // Ends with this process and must not keep it alive.
  host.unref();
  host.channel?.unref();
  return host;
}

function ask(child: ChildProcess, command: HostedCommand): Promise<HostedResult> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', ''];
    const onOut = (text: string) => {
      stdout += text;
      finish();
    };
    const onErr = (text: string) => {
      stderr += text;
      finish();
    };
    const onExit = (code: number | null) => {
      leave();
      reject(new Error(`The command ended its host with ${code}:\n${stderr}`));
    };
    const finish = () => {
      const code = /\0(\d+)\0$/.exec(stdout)?.[1];
      if (code === undefined || !stderr.endsWith('\0')) return;
      leave();
      const shown = stdout.slice(0, -code.length - 2);
      resolve({ code: Number(code), stdout: shown, stderr: stderr.slice(0, -1) });
    };
    const leave = () => {
      child.stdout?.off('data', onOut);
      child.stderr?.off('data', onErr);
      child.off('exit', onExit);
    };
    child.stdout?.on('data', onOut);
    child.stderr?.on('data', onErr);
    child.once('exit', onExit);
    child.send(command);
  });
}
