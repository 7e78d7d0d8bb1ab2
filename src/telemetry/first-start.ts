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
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Where the secrets of the first start are when no terminal shows them: a log keeps what it gets, for many to read. */
export function firstStartPath(dataDir: string): string {
  return join(dataDir, 'first-start.txt');
}

const bytesMax = 64 * 1024;
// More than the text of a first start needs.
const bytesReserved = 8 * 1024;
const setupLink = /\S+\/setup#token=\S+/;

/** True while the file is there, whatever it is. */
export function hasFirstStartFile(dataDir: string): boolean {
  return existsSync(firstStartPath(dataDir));
}

/**
 * Writes the file, whole or not at all, for the owner of the process alone. It is made under another name and renamed, so
 * that a link somebody put in its place is replaced, never followed.
 */
export function writeFirstStart(dataDir: string, text: string): void {
  closeSync(placeFile(dataDir, text));
}

/** A file in its place and on the disk, without its secrets. Ends with one of the calls. */
export interface ReservedFirstStart {
  fill(text: string): void;
  drop(): void;
}

/** Throws where the file could not be written: to be known before there are credentials that cannot be had again. */
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

/** Answers the open file. */
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

/** The text of an earlier start with a new link in it: the credentials it shows cannot be had again. Null if there is none. */
export function renewedFirstStart(dataDir: string, link: string): string | null {
  const text = readOwnFile(firstStartPath(dataDir));
  return text !== null && setupLink.test(text) ? text.replace(setupLink, () => link) : null;
}

/** The text of a file that this user has written; null for anything else, which is not to be trusted. */
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
