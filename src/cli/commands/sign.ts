import type { Command } from 'commander';
import { readCommandLineConfig } from '../../config.ts';
import { sign } from '../../domain/signature.ts';
import { headerNames } from '../../domain/signature-debug/request.ts';
import { newCommand, outputOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { readInput, readSecret } from '../input.ts';

interface SignOptions {
  readonly slug: string;
  readonly timestamp?: string;
}

export const signCommand = () =>
  newCommand(
    'sign',
    'Sign a body with LEADGATE_SECRET, or a secret typed in; prints the headers and a curl.',
    ['sign lead.json --slug contact', `sign - --json <<< '{"email":"ada@example.com"}'`],
  )
    .argument('<file>', 'the exact bytes of the body; - for standard input')
    .option('--slug <slug>', 'the form, for the address in the curl', '<slug>')
    .option('--timestamp <seconds>', 'the time of signing in Unix seconds; now unless given')
    .action(async (file: string, { slug, timestamp }: SignOptions, command: Command) => {
      const time = timestamp ?? String(Math.floor(Date.now() / 1000));
      if (!/^[0-9]{1,12}$/.test(time)) throw new CliError('usage', 'A timestamp has 1 to 12 digits.');
      const body = readInput(file);
      const { url, headerPrefix } = readCommandLineConfig();
      const names = headerNames(headerPrefix);
      const signature = sign(await readSecret(), time, body).toString('hex');
      const headers = { [names.timestamp]: time, [names.signature]: signature };
      const lines = Object.entries({ 'Content-Type': 'application/json', ...headers });
      const curl = [
        `curl ${quoted(`${url}/api/v1/ingest/${slug}`)}`,
        ...lines.map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`),
        `  --data-binary ${bodyArgument(file, body)}`,
      ].join(' \\\n');
      const shown = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
      outputOf(command).result({ timestamp: time, signature, headers, curl }, `${shown}\n\n${curl}`);
    });

/** A file is named, so that curl sends its very bytes; only what came through standard input stands in the line. */
function bodyArgument(file: string, body: Buffer): string {
  if (file !== '-') return quoted(`@${file}`);
  const text = body.toString('utf8');
  if (!Buffer.from(text).equals(body) || text.includes('\0'))
    throw new CliError('usage', 'The body is not text and cannot stand in a command: give it as a file.');
  return quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
