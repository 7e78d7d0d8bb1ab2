import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { encryptionKeyFile, existingKey, previousEncryptionKeyFile } from '../../key-files.ts';
import { CliError } from '../exit.ts';

/**
 * Creates a new key in DATA_DIR and keeps the previous key beside it, where every start finds it. At each moment the two files
 * contain the keys in use: first the old key gets its second name, then the new key takes its place.
 */
export function makeNewKey(config: Config): void {
  const { dataDir, hasOwnEncryptionKey, previousEncryptionKeys } = config;
  const path = join(dataDir, encryptionKeyFile);
  const previous = join(dataDir, previousEncryptionKeyFile);
  if (hasOwnEncryptionKey)
    throw new CliError(
      'usage',
      'ENCRYPTION_KEY is set in the environment: set the new key there, and the old one as ENCRYPTION_KEY_PREVIOUS. See docs/operating.md.',
    );
  if (!existsSync(path))
    throw new CliError('missing', `There is no key in ${dataDir} yet; the first start creates it.`);
  if (previousEncryptionKeys.length > 0)
    throw new CliError(
      'conflict',
      `A rotation is not finished: ${previous} still exists. Finish it with leadgate rekey.`,
    );
  if (existingKey(dataDir, encryptionKeyFile) !== config.encryptionKey)
    throw new CliError('conflict', `${path} was replaced in the meantime. Run the command again.`);
  const { uid, gid } = statSync(path);
  replaceFile(previous, readFileSync(path, 'utf8'), { uid, gid });
  replaceFile(path, `${randomBytes(32).toString('base64url')}\n`, { uid, gid });
  syncFolder(dataDir);
}

/**
 * Retires the previous key, but does not delete it: backups made before the rotation need it. Null if it does not come from
 * a file.
 */
export function retirePreviousKey(
  { dataDir, hasOwnEncryptionKey }: Config,
  keyId: string | undefined,
): string | null {
  const previous = join(dataDir, previousEncryptionKeyFile);
  if (hasOwnEncryptionKey || !existsSync(previous)) return null;
  // Without an id it is the current key, from a rotation that was interrupted at its start.
  if (keyId === undefined) {
    rmSync(previous);
    return null;
  }
  const retired = join(dataDir, `${encryptionKeyFile}.retired-${keyId}`);
  renameSync(previous, retired);
  syncFolder(dataDir);
  return retired;
}

/** Atomic: a crash leaves the old file or the new one. */
function replaceFile(path: string, text: string, owner: { uid: number; gid: number }): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const file = openSync(next, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    // If root creates it, the user of the service must be able to read it. By descriptor, because the name may be another file by now.
    if (process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  syncFolder(join(path, '..'));
}
