import { isUtf8 } from 'node:buffer';
import type { Command } from 'commander';
import { readCommandLineConfig } from '../../config.ts';
import { sign } from '../../domain/signature.ts';
import { headerNames } from '../../domain/signature-debug/request.ts';
import { newCommand, outputOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { readWithSecret } from '../input.ts';
import { safeText } from '../terminal/safe-text.ts';

interface SignOptions {
  readonly slug: string;
  readonly timestamp?: string;
  readonly trimFinalNewline?: boolean;
}

export const signCommand = () =>
  newCommand(
    'sign',
    'Sign a body with LEADGATE_SECRET or a secret you type, and print the headers and a curl command.',
    ['sign lead.json --slug contact', 'sign - --json < lead.json'],
  )
    .argument('<file>', 'the exact bytes of the body; - for standard input')
    .option('--slug <slug>', 'the form, for the URL in the curl command', '<slug>')
    .option('--timestamp <seconds>', 'the time of signing in Unix seconds; default: now')
    .option('--trim-final-newline', 'sign and send the body without the line break at its end')
    .action(async (file: string, options: SignOptions, command: Command) => {
      const { slug, timestamp } = options;
      const time = timestamp ?? String(Math.floor(Date.now() / 1000));
      if (!/^[0-9]{1,12}$/.test(time)) throw new CliError('usage', 'A timestamp has 1 to 12 digits.');
      const out = outputOf(command);
      const { bytes, secret } = await readWithSecret(file);
      const lineBreak = finalLineBreak(bytes);
      const isTrimmed = options.trimFinalNewline === true && lineBreak !== '';
      const body = isTrimmed ? bytes.subarray(0, bytes.length - lineBreak.length) : bytes;
      if (lineBreak !== '' && !isTrimmed) out.note(signedLineBreakText(lineBreak, body.length));
      const { url, headerPrefix } = readCommandLineConfig();
      const names = headerNames(headerPrefix);
      const signature = sign(secret, time, body).toString('hex');
      const headers = { [names.timestamp]: time, [names.signature]: signature };
      const lines = Object.entries({ 'Content-Type': 'application/json', ...headers });
      const curl = [
        `curl ${quoted(`${url}/api/v1/ingest/${slug}`)}`,
        ...lines.map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`),
        `  --data-binary ${file === '-' || isTrimmed ? bodyArgument(body) : quoted(`@${file}`)}`,
      ].join(' \\\n');
      const shown = lines.map(([name, value]) => `${name}: ${value}`).join('\n');
      const facts = { timestamp: time, signature, body_bytes: body.length, headers, curl };
      out.result(facts, `${shown}\n\n${curl}`);
    });

function finalLineBreak(body: Buffer): '' | '\n' | '\r\n' {
  if (body.at(-1) !== 0x0a) return '';
  return body.at(-2) === 0x0d ? '\r\n' : '\n';
}

/** The service sees what the sender sends: a line break that is only in the file makes every signature wrong. */
function signedLineBreakText(lineBreak: string, bytes: number): string {
  const name = lineBreak === '\n' ? 'LF' : 'CRLF';
  return [
    `The body ends with a line break (${name}), which is signed too: ${bytes} bytes, as curl sends them.`,
    'If your sender does not send it, add --trim-final-newline.',
  ].join(' ');
}

/** A body without a file goes into the command line itself. */
function bodyArgument(body: Buffer): string {
  const text = body.toString('utf8');
  if (!isUtf8(body) || text.includes('\0'))
    throw new CliError('usage', 'The body is not text and cannot be part of a command. Pass it as a file.');
  // curl would read "@" as the start of a file name.
  if (text.startsWith('@'))
    throw new CliError(
      'usage',
      'The body starts with @, which curl reads as a file name. Pass it as a file.',
    );
  return quoted(text);
}

function quoted(text: string): string {
  if (safeText(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  // Bash's $'…' quotes, for bytes that a terminal would not show unchanged.
  const escaped = [...text].map((character) =>
    /['\\]/.test(character)
      ? `\\${character}`
      : safeText(character) === character
        ? character
        : hexOf(character),
  );
  return `$'${escaped.join('')}'`;
}

function hexOf(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
