import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../exit.ts';
import { partNames } from './data-directory.ts';
import type { Manifest } from './manifest.ts';

/**
 * A backup may have been tampered with. Before anything is read or written, every path in it must be a regular file or folder
 * inside one of the parts of a data directory.
 */
export function requirePlain(backup: string, manifest: Manifest): void {
  requirePlainPaths(manifest);
  for (const { path } of manifest.folders) {
    const found = statOf(join(backup, path));
    if (found !== null && !found.isDirectory()) refuse(path, 'is not a folder');
  }
  for (const { path } of manifest.files) {
    const found = statOf(join(backup, path));
    // Missing files are reported with the damaged ones.
    if (found === null) continue;
    if (!found.isFile()) refuse(path, 'is not a regular file');
    if (found.nlink > 1) refuse(path, 'has hard links. Copy the backup with cp -r and restore the copy');
  }
}

function requirePlainPaths({ folders, files }: Manifest): void {
  const folderPaths = new Set(folders.map(({ path }) => path));
  const seen = new Set<string>();
  const take = (path: string, isInPlace: boolean) => {
    const parent = dirname(path);
    if (!path.split('/').every(isPlainName)) refuse(path, 'is not a plain path');
    if (!isInPlace || (parent !== '.' && !folderPaths.has(parent)))
      refuse(path, 'is not part of a data directory');
    if (seen.has(path)) refuse(path, 'is listed twice');
    seen.add(path);
  };
  const parts: readonly string[] = [partNames.cluster, partNames.spool];
  const keys: readonly string[] = partNames.keys;
  for (const { path } of folders) take(path, parts.includes(topOf(path)));
  for (const { path } of files)
    take(path, keys.includes(path) || (parts.includes(topOf(path)) && path.includes('/')));
}

const topOf = (path: string) => path.split('/')[0] ?? '';

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[\\\u0000-\u001f\u007f]/.test(name);
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function refuse(path: string, why: string): never {
  throw new CliError('failure', `Nothing was restored: ${JSON.stringify(path)} in the backup ${why}.`);
}

/** A backup must not set permissions for others: the group may read at most, and nobody may execute. */
export function plainFileMode(mode: number): number {
  return 0o600 | (mode & 0o040);
}

export function plainFolderMode(mode: number): number {
  return 0o700 | (mode & 0o050);
}
