import { createReadStream } from 'node:fs';
import { CliError } from '../exit.ts';
import { systemPhrase } from '../report.ts';

const mebibyte = 1024 ** 2;
/** Far above the limit of a lead: catches mistakes and protects memory. */
export const inputBytesMax = 16 * mebibyte;
/** For a file with many leads, which stay in memory until they are sent. */
export const linesBytesMax = 256 * mebibyte;

/**
 * The bytes of a file, or of standard input for "-". Both are read as streams: a pipe may be slow, and reading a non-blocking
 * descriptor in one go would fail with EAGAIN.
 */
export async function readBytes(path: string, bytesMax = inputBytesMax): Promise<Buffer> {
  const name = path === '-' ? 'Standard input' : path;
  if (path === '-' && process.stdin.isTTY) process.stderr.write('Type the input, then press Ctrl-D.\n');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
      // A terminal on which a secret was typed returns strings.
      const chunk = Buffer.from(part);
      bytes += chunk.length;
      if (bytes > bytesMax)
        throw new CliError('usage', `${name} is larger than the limit of ${bytesMax / mebibyte} MiB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('usage', `${name} cannot be read: ${systemPhrase(error)}.`);
  }
  if (bytes === 0) throw new CliError('usage', `${name} is empty.`);
  return Buffer.concat(chunks);
}
