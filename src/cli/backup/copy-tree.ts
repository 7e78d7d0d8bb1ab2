import { createHash } from 'node:crypto';
import { constants, type Dirent, mkdirSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseAccount } from '../../db/embedded/account.ts';
import { CliError } from '../exit.ts';
import type { FolderEntry } from './manifest.ts';

/** Everything below a folder by relative path, folders before their contents. */
export interface Tree {
  readonly folders: readonly FolderEntry[];
  readonly files: readonly { readonly path: string; readonly mode: number; readonly bytes: number }[];
}

const permissionBits = 0o777;
const chunkBytes = 1024 ** 2;
const copiesAtOnce = 8;

/** Leaves out sockets and process locks; anything else that is not a file is an error. */
export function treeOf(root: string, isLeftOut: (path: string) => boolean, below = ''): Tree {
  const folders: FolderEntry[] = [];
  const files: { path: string; mode: number; bytes: number }[] = [];
  for (const item of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, item.name);
    if (isLeftOut(path) || item.isSocket()) continue;
    refuseLink(root, path, item);
    const { mode, size } = statSync(join(root, path));
    if (item.isFile()) files.push({ path, mode: mode & permissionBits, bytes: size });
    if (!item.isDirectory()) continue;
    const inner = treeOf(root, isLeftOut, path);
    folders.push({ path, mode: mode & permissionBits }, ...inner.folders);
    files.push(...inner.files);
  }
  return { folders, files };
}

function refuseLink(root: string, path: string, item: Dirent): void {
  if (item.isFile() || item.isDirectory()) return;
  throw new CliError('failure', `${join(root, path)} cannot be copied: it is neither a file nor a folder.`);
}

/** Copies a file into an existing folder, syncs it to disk and returns its facts. Never overwrites. */
export async function copyFile(
  from: string,
  to: string,
  mode: number,
  owner: DatabaseAccount | null = null,
): Promise<{ bytes: number; sha256: string }> {
  const target = await open(to, 'wx', mode);
  try {
    if (owner !== null) await target.chown(owner.uid, owner.gid);
    const copied = await readThrough(from, (chunk) => target.writeFile(chunk));
    // Restores the bits that the umask removed.
    await target.chmod(mode);
    await target.sync();
    return copied;
  } finally {
    await target.close();
  }
}

/** Reads a file in chunks and returns its facts. */
export async function readThrough(
  path: string,
  take: (chunk: Buffer) => Promise<unknown> = async () => {},
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  // Do not follow links, and do not wait on a pipe.
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  let bytes = 0;
  try {
    // A database has over a thousand files of a few KiB: allocating a whole chunk for each takes longer than reading it.
    const { size } = await source.stat();
    const buffer = Buffer.allocUnsafe(Math.min(size + 1, chunkBytes));
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await take(chunk);
      bytes += bytesRead;
    }
  } finally {
    await source.close();
  }
}

/** Runs the work for all items, a few at a time, and returns the results in order. */
export async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const places = items.entries();
  const worker = async () => {
    for (const [place, item] of places) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: copiesAtOnce }, worker));
  return results;
}

/** Parents come before their children, so creating them in order works. */
export function makeFolders(root: string, folders: readonly FolderEntry[]): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const { path, mode } of folders) mkdirSync(join(root, path), { recursive: true, mode });
}
