/**
 * What the spool and the snapshot of the directory need of a disk. A simulation has one that loses what was not synced,
 * tears writes and fails. Files and folders are for their owner alone.
 */
export interface Disk {
  /** With all folders above it. */
  makeFolder(path: string): Promise<void>;
  /** Names, in no order. */
  list(path: string): Promise<string[]>;
  read(path: string): Promise<Buffer>;
  /** Replaces a whole file, without a sync: for what may be lost. */
  write(path: string, bytes: Buffer): Promise<void>;
  /** A new file; fails when there is one. */
  create(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  /** No fault when there is none. */
  remove(path: string): Promise<void>;
  /** An empty one. */
  removeFolder(path: string): Promise<void>;
  /** Without it a crash may forget that a file in the folder was made, renamed or removed. */
  syncFolder(path: string): Promise<void>;
  /** Held until it is released or the process ends; null while another process holds it. */
  lock(path: string): Promise<DiskLock | null>;
}

export interface DiskFile {
  write(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when the contents, and as much as it takes to read them again, are on the disk. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** For a file that replaces another as root: whoever owned that one must be able to read this one. */
  keepOwnerOf(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface DiskLock {
  release(): Promise<void>;
}
