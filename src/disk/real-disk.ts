import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Disk, DiskFile } from './disk.ts';
import { takeSocketLock } from './socket-lock.ts';

/** The disk of the machine. */
export const realDisk: Disk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  list: (path) => readdir(path),
  read: (path) => readFile(path),
  write: (path, bytes) => writeFile(path, bytes, { mode: 0o600 }),
  create: async (path) => fileOf(await open(path, 'wx', 0o600)),
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rmdir(path),
  async syncFolder(path) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  lock: takeSocketLock,
};

function fileOf(handle: FileHandle): DiskFile {
  return {
    write: (bytes, position) => writeAll(handle, bytes, position),
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    async keepOwnerOf(path) {
      if (process.getuid?.() !== 0) return;
      const { uid, gid } = await lstat(path).catch(() => stat(dirname(path)));
      await handle.chown(uid, gid);
    },
    close: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
