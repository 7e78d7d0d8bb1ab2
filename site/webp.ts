import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** Reads the size from the header of an extended WebP file, the format that Chromium writes. */
export function sizeOfWebp(source: string): { readonly width: number; readonly height: number } {
  const bytes = readFileSync(join(root, source));
  const isExtended =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 16) === 'WEBPVP8X';
  if (!isExtended) throw new Error(`${source} is not a WebP file from npm run pictures.`);
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
