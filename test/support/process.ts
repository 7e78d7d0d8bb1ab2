import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { operatorKey } from './service.ts';

/** The service as its users run it: a process of its own, with its embedded database. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything printed to standard output and standard error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export function temporaryDataDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'leadgate-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const main = 'src/main.ts';

export function spawnService(
  env: Record<string, string>,
  script = main,
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', script)], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', OPERATOR_KEY: operatorKey, ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

/** Resolves when the service says that it is ready. */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  script = main,
): Promise<ServiceProcess> {
  const { child, output } = spawnService({ DATA_DIR: dataDir, ...env }, script);
  for (;;) {
    const url = /is ready at (\S+)/.exec(output())?.[1];
    if (url !== undefined) return { child, url, output, kill: (signal) => killed(child, signal) };
    if (child.exitCode !== null) throw new Error(`The service ended instead of starting:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function killed(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}

/** The Node that the machine had before this project brought its own: the oldest that anything here has to run on. */
function machineNode(): string | null {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path)) ?? null;
}

/** Names and paths of the Nodes that users may have. */
export function usersNodes(): [string, string][] {
  const other = machineNode();
  const own: [string, string] = ["the project's Node", process.execPath];
  return other === null ? [own] : [own, ["the machine's Node", other]];
}
