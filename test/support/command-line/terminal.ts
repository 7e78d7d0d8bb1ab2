import { spawn } from 'node:child_process';
import { cliScript } from './command-line.ts';

export interface TerminalResult {
  readonly code: number | null;
  /** Everything written to the terminal, from both streams. */
  readonly screen: string;
}

/**
 * Runs a command on a terminal made by script(1). The input is typed once the screen shows the given prompt.
 */
export function onTerminal(
  words: readonly string[],
  env: Record<string, string>,
  ...typed: readonly { readonly after: string; readonly text: string }[]
): Promise<TerminalResult> {
  const quoted = [process.execPath, cliScript, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
  });
  let screen = '';
  const waiting = [...typed];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text;
    const [next] = waiting;
    if (next === undefined || !screen.includes(next.after)) return;
    waiting.shift();
    child.stdin.write(next.text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, screen }));
  });
}
