import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, encryptionKeyFile, previousEncryptionKeyFile } from '../../config.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const mebibyte = 1024 ** 2;
const freeBytesMin = 100 * mebibyte;
const freeBytesGood = 1024 * mebibyte;

/** Folders that can be written, with room, and keys that nobody else can read. */
export function checkDisk(config: Config): Finding[] {
  const { dataDir, spoolDir, spoolBytesMax } = config;
  return [
    checkFolder('DATA_DIR', dataDir, freeBytesGood),
    checkFolder('SPOOL_DIR', spoolDir, spoolBytesMax),
    ...['operator.key', encryptionKeyFile, previousEncryptionKeyFile, 'first-start.txt'].flatMap((name) =>
      checkKeyFile(join(dataDir, name)),
    ),
  ];
}

function checkFolder(check: string, folder: string, bytesWanted: number): Finding {
  const there = nearestThere(folder);
  if (!statSync(there).isDirectory())
    return fault(check, `${there} is not a folder.`, `Set ${check} to a folder, or remove the file.`);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return fault(
      check,
      `${there} cannot be written by this user.`,
      `chown it to the user of the service, or set ${check} to another folder.`,
    );
  }
  const { bavail, bsize } = statfsSync(there);
  return checkRoom(check, folder, bavail * bsize, bytesWanted);
}

function checkRoom(check: string, folder: string, free: number, wanted: number): Finding {
  const text = `${folder} has ${Math.floor(free / mebibyte)} MiB free`;
  if (free < freeBytesMin)
    return fault(
      check,
      `${text}, which is next to nothing.`,
      'Free some of the disk, or move to a larger one.',
    );
  if (free >= wanted) return ok(check, `${text}.`);
  const wantedText = `${Math.floor(wanted / mebibyte)} MiB`;
  return check === 'SPOOL_DIR'
    ? warning(
        check,
        `${text}, but the spool may take ${wantedText}.`,
        'Free some of the disk, or lower SPOOL_BYTES_MAX.',
      )
    : warning(check, `${text}; ${wantedText} or more are better.`, 'Free some of the disk.');
}

/** The first start makes what is missing, so the nearest folder that exists decides. */
function nearestThere(path: string): string {
  return existsSync(path) ? path : nearestThere(dirname(path));
}

function checkKeyFile(path: string): Finding[] {
  if (!existsSync(path)) return [];
  const { mode } = statSync(path);
  const name = `file ${path}`;
  if ((mode & 0o077) === 0) return [ok(name, 'Only its owner can read it.')];
  return [fault(name, 'Other users of this machine can read it.', `chmod 600 ${path}`)];
}
