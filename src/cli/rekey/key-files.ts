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
import { type Config, encryptionKeyFile, existingKey, previousEncryptionKeyFile } from '../../config.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import { CliError } from '../exit.ts';

/**
 * Puts a new key into DATA_DIR and keeps the one before it beside it, where every start finds it. At each moment both files
 * together hold the key that everything is sealed with: first the old key gets its second name, then the new one its place.
 */
export function makeNewKey(config: Config): void {
  const { dataDir, hasOwnEncryptionKey, previousEncryptionKeys } = config;
  const path = join(dataDir, encryptionKeyFile);
  const previous = join(dataDir, previousEncryptionKeyFile);
  if (hasOwnEncryptionKey)
    throw new CliError(
      'usage',
      'ENCRYPTION_KEY comes from the environment: set the new key there and the old one as ENCRYPTION_KEY_PREVIOUS. See docs/operating.md.',
    );
  if (!existsSync(path))
    throw new CliError('missing', `There is no key in ${dataDir} yet; the first start makes it.`);
  if (previousEncryptionKeys.length > 0)
    throw new CliError(
      'conflict',
      `A rotation is under way: ${previous} is still there. Finish it first with leadgate rekey.`,
    );
  if (existingKey(dataDir, encryptionKeyFile) !== config.encryptionKey)
    throw new CliError('conflict', `${path} was replaced just now. Start again.`);
  const { uid, gid } = statSync(path);
  replaceFile(previous, readFileSync(path, 'utf8'), { uid, gid });
  replaceFile(path, `${randomBytes(32).toString('base64url')}\n`, { uid, gid });
  syncFolder(dataDir);
}

/**
 * Takes the previous key out of use, but does not delete it: backups made before the rotation need it. Null when it does not
 * come from a file.
 */
export function retirePreviousKey(
  { dataDir, hasOwnEncryptionKey }: Config,
  keyId: string | undefined,
): string | null {
  const previous = join(dataDir, previousEncryptionKeyFile);
  if (hasOwnEncryptionKey || !existsSync(previous)) return null;
  // Without an id it is the current key, from a rotation that was interrupted right at its start.
  if (keyId === undefined) {
    rmSync(previous);
    return null;
  }
  const retired = join(dataDir, `${encryptionKeyFile}.retired-${keyId}`);
  renameSync(previous, retired);
  syncFolder(dataDir);
  return retired;
}

/** As a whole: a crash leaves the old file or the new one. */
function replaceFile(path: string, text: string, owner: { uid: number; gid: number }): void {
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const file = openSync(next, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    // Made by root, it must be readable for the user of the service. Not by its name, which may be another file by now.
    if (process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  syncFolder(join(path, '..'));
}
