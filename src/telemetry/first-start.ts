import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Holds the secrets of the first start when there is no terminal: many people can read a log. */
export function firstStartPath(dataDir: string): string {
  return join(dataDir, 'first-start.txt');
}

const bytesMax = 64 * 1024;
// More than the text needs.
const bytesReserved = 8 * 1024;
const setupLink = /(\S+)\/setup#token=\S+/;
const tokenAndSecret = /(ingt_srv_\w+).*'((?:lgs|whsec)_[\w-]+)'/s;

/** True if the path exists, whatever it is. */
export function hasFirstStartFile(dataDir: string): boolean {
  return existsSync(firstStartPath(dataDir));
}

/**
 * Writes the file atomically, readable only by the owner of the process. It is created under another name and renamed, so
 * that a symbolic link in its place is replaced, never followed.
 */
export function writeFirstStart(dataDir: string, text: string): void {
  closeSync(placeFile(dataDir, text));
}

/** A file that is already on disk, without its secrets. Call one of the methods, once. */
export interface ReservedFirstStart {
  fill(text: string): void;
  drop(): void;
}

/** Throws if the file cannot be written, before credentials are created that cannot be shown again. */
export function reserveFirstStart(dataDir: string): ReservedFirstStart {
  const file = placeFile(dataDir, ' '.repeat(bytesReserved));
  return {
    fill: (text) => {
      try {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
        ftruncateSync(file, bytes.length);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    drop: () => {
      closeSync(file);
      rmSync(firstStartPath(dataDir), { force: true });
    },
  };
}

/** Returns the open file. */
function placeFile(dataDir: string, text: string): number {
  mkdirSync(dataDir, { recursive: true });
  const path = firstStartPath(dataDir);
  const unfinished = `${path}.${randomUUID()}`;
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeFileSync(file, text);
    fsyncSync(file);
    renameSync(unfinished, path);
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The text of an earlier start with a new link and its URL: its credentials cannot be shown again. Null if there is none. */
export function renewedFirstStart(dataDir: string, link: string): string | null {
  const text = readOwnFile(firstStartPath(dataDir)) ?? '';
  const [former, formerUrl] = setupLink.exec(text) ?? [];
  if (former === undefined) return null;
  const [, url] = setupLink.exec(link) ?? [];
  return text.replace(former, () => link).replaceAll(`${formerUrl}/api/`, () => `${url}/api/`);
}

/** What the file can be used for once someone has an account. Null if there is nothing. */
export function firstStartCredentials(dataDir: string): { token: string; secret: string } | null {
  const [, token, secret] = tokenAndSecret.exec(readOwnFile(firstStartPath(dataDir)) ?? '') ?? [];
  return token === undefined || secret === undefined ? null : { token, secret };
}

/** Also what a kill has left of a file that was being written. */
export function removeFirstStart(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (/^first-start\.txt(?:\.[0-9a-f-]{36})?$/.test(name)) rmSync(join(dataDir, name), { force: true });
}

/** The text of a file that this user owns. Null for anything else, which cannot be trusted. */
function readOwnFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    const isOwn = found.isFile() && found.uid === process.geteuid?.() && found.size <= bytesMax;
    return isOwn ? readFileSync(file, 'utf8') : null;
  } finally {
    closeSync(file);
  }
}
