import { readCommandLineConfig } from '../config.ts';
import { CliError } from './exit.ts';
import { isInteractive, typeHidden } from './terminal/prompt.ts';
import { readBytes } from './terminal/read-bytes.ts';

/** The webhook secret from LEADGATE_SECRET, or typed. Never an argument, which other users could see. */
export async function readSecret(): Promise<string> {
  const { secret } = readCommandLineConfig();
  if (secret !== null) return secret;
  if (!isInteractive()) throw new CliError('usage', 'There is no webhook secret. Set LEADGATE_SECRET.');
  const typed = await typeHidden('Webhook secret: ');
  if (typed === '') throw new CliError('usage', 'The webhook secret is empty.');
  return typed;
}

/** Input and secret. On a terminal the secret comes first, because the end of the input closes standard input. */
export async function readWithSecret(path: string): Promise<{ bytes: Buffer; secret: string }> {
  if (path === '-') {
    const secret = await readSecret();
    return { secret, bytes: await readBytes(path) };
  }
  const bytes = await readBytes(path);
  return { bytes, secret: await readSecret() };
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** "90", "90s", "15m", "24h" or "7d" in seconds. */
export function durationSeconds(text: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text);
  if (match === null) throw new CliError('usage', `${text} is not a duration: write 90s, 15m, 24h or 7d.`);
  return Number(match[1]) * (unitSeconds[match[2] || 's'] as number);
}
