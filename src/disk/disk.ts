/**
 * What the spool and the directory snapshot need from a disk. The simulated disk loses what was not synced, tears writes
 * and fails. Only the owner can access files and folders.
 */
export interface Disk {
  /** Creates its parents too. */
  makeFolder(path: string): Promise<void>;
  /** Names, in no order. */
  list(path: string): Promise<string[]>;
  read(path: string): Promise<Buffer>;
  /** Replaces a whole file without a sync: for data that may be lost. */
  write(path: string, bytes: Buffer): Promise<void>;
  /** Fails if the file exists. */
  create(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder. */
  removeFolder(path: string): Promise<void>;
  /** Without it, a crash may undo that a file in the folder was created, renamed or removed. */
  syncFolder(path: string): Promise<void>;
  /** Held until it is released or the process ends; null while another process holds it. */
  lock(path: string): Promise<DiskLock | null>;
}

export interface DiskFile {
  write(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when the contents, and the metadata needed to read them, are on disk. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** For a file that root replaces: the owner of the old file must be able to read the new one. */
  keepOwnerOf(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface DiskLock {
  release(): Promise<void>;
}
