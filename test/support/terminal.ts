import { spawn } from 'node:child_process';
import { cliScript } from './command-line.ts';

export interface TerminalResult {
  readonly code: number | null;
  /** Everything the terminal got, from both streams. */
  readonly screen: string;
}

/**
 * The command on a terminal of its own, made by script(1). The input is typed once the screen shows the text that it answers.
 */
export function onTerminal(
  words: readonly string[],
  env: Record<string, string>,
  typed: { readonly after: string; readonly text: string } | null = null,
): Promise<TerminalResult> {
  const quoted = [process.execPath, cliScript, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const child = spawn('script', ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
  });
  let screen = '';
  let isTyped = typed === null;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text;
    if (isTyped || typed === null || !screen.includes(typed.after)) return;
    isTyped = true;
    child.stdin.write(typed.text);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, screen }));
  });
}
