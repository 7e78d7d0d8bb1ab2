import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inject } from 'vitest';
import { copyCluster } from '../database/postgres.ts';
import { scratchFolder } from '../scratch.ts';
import { operatorKey, patientCommits } from '../service.ts';

/** The service in a separate process with its embedded database, as users run it. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Everything printed to standard output and standard error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export function temporaryDataDir(): { path: string; remove(): void } {
  const path = scratchFolder();
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The same with a migrated, unused database, which saves most of the time of a first start. */
export function preparedDataDir(): { path: string; remove(): void } {
  const dataDir = temporaryDataDir();
  copyCluster(inject('preparedDataDir'), dataDir.path);
  return dataDir;
}

const main = 'src/main.ts';
// Stripping types and compiling takes half of a start. The command line uses the same folder.
export const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/leadgate');

interface SpawnedProcess {
  readonly child: ChildProcess;
  /** Its exit code, once the output is complete. */
  readonly ended: Promise<number | null>;
  readonly output: () => string;
}

export function spawnService(env: Record<string, string>, script = main): SpawnedProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../..', script)], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      OPERATOR_KEY: operatorKey,
      NODE_COMPILE_CACHE: compileCache,
      ...patientCommits,
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
    });
  }
  // Not 'exit', because the last output may arrive after it.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => text };
}

/** Resolves when the service has printed that it is ready, including the text after that. */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  script = main,
): Promise<ServiceProcess> {
  const { child, output } = spawnService({ DATA_DIR: dataDir, ...env }, script);
  for (;;) {
    const url = /is ready at (\S+).*Press Ctrl-C/s.exec(output())?.[1];
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

/** The Node of the machine, which may be older than the project's own: the oldest that anything here must run on. */
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
