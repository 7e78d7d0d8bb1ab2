import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { encryptionKeyFile, previousEncryptionKeyFile } from '../../key-files.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const mebibyte = 1024 ** 2;
const freeBytesMin = 100 * mebibyte;
const freeBytesGood = 1024 * mebibyte;

/** Folders must be writable and have space; keys must be private. */
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
      `This user cannot write to ${there}.`,
      `Make the user of the service its owner with chown, or set ${check} to another folder.`,
    );
  }
  const { bavail, bsize } = statfsSync(there);
  return checkRoom(check, folder, bavail * bsize, bytesWanted);
}

function checkRoom(check: string, folder: string, free: number, wanted: number): Finding {
  const text = `${folder} has ${Math.floor(free / mebibyte)} MiB free`;
  if (free < freeBytesMin)
    return fault(check, `${text}, which is not enough.`, 'Free some disk space, or use a larger disk.');
  if (free >= wanted) return ok(check, `${text}.`);
  const wantedText = `${Math.floor(wanted / mebibyte)} MiB`;
  return check === 'SPOOL_DIR'
    ? warning(
        check,
        `${text}, but the spool may need ${wantedText}.`,
        'Free some disk space, or lower SPOOL_BYTES_MAX.',
      )
    : warning(check, `${text}; at least ${wantedText} is better.`, 'Free some disk space.');
}

/** The first start creates missing folders, so the nearest existing one decides. */
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
