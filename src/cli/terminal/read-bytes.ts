import { createReadStream } from 'node:fs';
import { CliError } from '../exit.ts';
import { systemPhrase } from '../report.ts';

const mebibyte = 1024 ** 2;
/** Far more than the service takes of one lead, so that a mistake is found and memory is not filled. */
export const inputBytesMax = 16 * mebibyte;
/** For a file with many leads, which are held until they are sent. */
export const linesBytesMax = 256 * mebibyte;

/**
 * The bytes of a file, or of standard input when it is called "-". Both are read as streams: a pipe may be slow, and a descriptor
 * that does not block would fail with EAGAIN when it is read in one go.
 */
export async function readBytes(path: string, bytesMax = inputBytesMax): Promise<Buffer> {
  const name = path === '-' ? 'Standard input' : path;
  if (path === '-' && process.stdin.isTTY) process.stderr.write('Type the input and end it with Ctrl-D.\n');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      // A terminal on which a secret was typed before gives texts.
      const chunk = Buffer.from(part);
      bytes += chunk.length;
      if (bytes > bytesMax)
        throw new CliError(
          'usage',
          `${name} is larger than ${bytesMax / mebibyte} MiB, the most this takes.`,
        );
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('usage', `${name} cannot be read: ${systemPhrase(error)}.`);
  }
  if (bytes === 0) throw new CliError('usage', `${name} is empty.`);
  return Buffer.concat(chunks);
}
