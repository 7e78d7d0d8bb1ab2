import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeRecord } from './record.ts';
import { segmentName } from './segment.ts';

export interface JournalDeps {
  readonly dir: string;
  readonly firstSequence: bigint;
  /** Told of each segment that is written to no more. */
  readonly onSealed: (name: string) => void;
}

interface Append {
  readonly payload: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface OpenSegment {
  readonly name: string;
  readonly file: FileHandle;
  bytes: number;
}

const segmentBytesMax = 16 * 1024 * 1024;

/**
 * An append-only journal. `append` resolves when the record is on disk, never before.
 *
 *   idle    → writing  by the first append
 *   writing → writing  while appends wait: all that came during a write share the next one and its sync
 *   writing → idle     when none waits
 *
 * After a failed write or sync the kernel may have dropped the pages and call the next sync a success. So a
 * segment that failed is never written again: its appends are refused and the next write opens a new one.
 */
export class Journal {
  readonly #deps: JournalDeps;
  #waiting: Append[] = [];
  #running: Promise<void> | null = null;
  #segment: OpenSegment | null = null;
  #sequence: bigint;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#sequence = deps.firstSequence;
  }

  append(payload: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Ends the current segment, so that it can be drained. */
  async seal(): Promise<void> {
    await this.#running;
    await this.#closeSegment();
  }

  get isEmpty(): boolean {
    return this.#segment === null && this.#waiting.length === 0;
  }

  async #run(): Promise<void> {
    // Everything that arrives in this turn of the event loop shares the first write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#write(batch);
    }
    this.#running = null;
  }

  async #write(batch: Append[]): Promise<void> {
    try {
      if (this.#segment !== null && this.#segment.bytes >= segmentBytesMax) await this.#closeSegment();
      this.#segment ??= await this.#openSegment();
      const records = batch.map(({ payload }) => encodeRecord(this.#sequence++, payload));
      await writeAll(this.#segment, Buffer.concat(records));
      await this.#segment.file.datasync();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      await this.#closeSegment();
      for (const { reject } of batch) reject(error as Error);
    }
  }

  async #openSegment(): Promise<OpenSegment> {
    const { dir } = this.#deps;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const name = segmentName(this.#sequence);
    const file = await open(join(dir, name), 'wx', 0o600);
    await file.sync();
    await syncDirectory(dir);
    return { name, file, bytes: 0 };
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    this.#segment = null;
    await segment.file.close().catch(() => {});
    this.#deps.onSealed(segment.name);
  }
}

async function writeAll(segment: OpenSegment, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await segment.file.write(bytes, written, bytes.length - written, segment.bytes);
    written += bytesWritten;
    segment.bytes += bytesWritten;
  }
}

/** Without it a crash may forget that the file was ever made. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
