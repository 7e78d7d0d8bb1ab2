import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';

/** Names in DATA_DIR of the encryption key and, during a rotation, of the previous one. */
export const encryptionKeyFile = 'encryption.key';
export const previousEncryptionKeyFile = 'encryption.key.previous';

export const keyCharactersMin = 32;

/** A key that is created once and kept with the data, readable only by the owner of the process. */
export function keyFile(dataDir: string, name: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw unusableFolder(dataDir, error as NodeJS.ErrnoException);
  }
  try {
    createKey(join(dataDir, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw unusableFolder(dataDir, error as NodeJS.ErrnoException);
  }
  return existingKey(dataDir, name);
}

function createKey(path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`);
  } catch (error) {
    // A full disk must not leave an empty key, which the next start would refuse.
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

export function unusableFolder(dataDir: string, { code, message }: NodeJS.ErrnoException): ConfigError {
  // Node reports "EACCES: permission denied, mkdir '/srv/leads'", and "file already exists" when a file has the folder's name.
  const cause = code === 'EEXIST' ? 'it is a file' : message.replace(/^\w+: /, '');
  return new ConfigError(
    `DATA_DIR: cannot use ${dataDir}: ${cause}. Choose a folder that this user can write to.`,
  );
}

/** The existing key, or an empty string. */
export function existingKey(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  if (!existsSync(path)) return '';
  const key = readKey(path);
  if (key.length < keyCharactersMin) {
    throw new ConfigError(
      `${path} has fewer than ${keyCharactersMin} characters. Restore it from your backup.`,
    );
  }
  return key;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`Cannot read the key: ${(error as Error).message}`);
  }
}
