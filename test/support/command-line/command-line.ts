import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { operatorKey, type TestService } from '../service.ts';
import { runHosted } from './warm-command-line.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
  readonly json: any;
}

export interface CliOptions {
  readonly env?: Record<string, string>;
  readonly input?: string | Buffer;
  /** The working directory; by default the root of the repository. */
  readonly cwd?: string;
}

export const cliScript = join(import.meta.dirname, '../../../bin/leadgate.js');

/** Runs a command in a separate process, with pipes for its output. */
export function leadgate(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, input = '', cwd } = options;
  const child = spawn(process.execPath, [cliScript, ...words], {
    env: { PATH: process.env.PATH ?? '', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // A command that reads no input may end before the input is written.
  child.stdin.on('error', () => {}).end(input);
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr, json: parsed(stdout) }));
  });
}

/** The same without a separate process, for tests that do not depend on how the process starts and ends. */
export async function warmLeadgate(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, input, cwd } = options;
  if (input !== undefined) return leadgate(words, options);
  const result = await runHosted({ words, env: { PATH: process.env.PATH ?? '', ...env }, cwd });
  return { ...result, json: parsed(result.stdout) };
}

/** Runs commands against a service, as its operator. */
export function operatorOf({ url }: Pick<TestService, 'url'>) {
  const own = { LEADGATE_URL: url, OPERATOR_KEY: operatorKey };
  return (words: readonly string[], { env, ...options }: CliOptions = {}) =>
    warmLeadgate(words, { ...options, env: { ...own, ...env } });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
