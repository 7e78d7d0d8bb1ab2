import { readFileSync } from 'node:fs';
import { readCommandLineConfig } from '../config.ts';
import { CliError } from './exit.ts';

/** The bytes of a file, or of standard input when it is called "-". */
export function readInput(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw new CliError('usage', `The input cannot be read: ${(error as Error).message}`);
  }
}

/** The webhook secret: LEADGATE_SECRET, or typed by a person. Never an argument, which other users could see. */
export async function readSecret(): Promise<string> {
  const { secret } = readCommandLineConfig();
  if (secret !== null) return secret;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CliError('usage', 'There is no webhook secret: set LEADGATE_SECRET.');
  const typed = await typeHidden('Webhook secret: ');
  if (typed === '') throw new CliError('usage', 'The webhook secret is empty.');
  return typed;
}

/** Reads one line from the terminal without showing it. */
function typeHidden(question: string): Promise<string> {
  process.stderr.write(question);
  process.stdin.setRawMode(true).setEncoding('utf8').resume();
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (settle: () => void) => {
      process.stdin.setRawMode(false).pause().off('data', onData);
      process.stderr.write('\n');
      settle();
    };
    const onData = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n' || key === '\x04') return end(() => resolve(text));
        if (key === '\x03') return end(() => reject(new CliError('failure', 'Given up.')));
        text = key === '\x7f' ? text.slice(0, -1) : text + key;
      }
    };
    process.stdin.on('data', onData);
  });
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** "90", "90s", "15m", "24h" or "7d" in seconds. */
export function durationSeconds(text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  if (match === null) throw new CliError('usage', `${text} is not a duration: write 90s, 15m, 24h or 7d.`);
  return Number(match[1]) * (unitSeconds[match[2] || 's'] as number);
}
