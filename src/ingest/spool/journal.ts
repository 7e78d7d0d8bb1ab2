import { join } from 'node:path';
import type { Disk, DiskFile } from '../../disk/disk.ts';
import type { Clock } from '../../time/clock.ts';
import { encodeRecord } from './record.ts';
import { segmentName } from './segment.ts';

export interface JournalDeps {
  readonly disk: Disk;
  readonly clock: Clock;
}

interface Append {
  readonly payload: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface OpenSegment {
  readonly name: string;
  readonly file: DiskFile;
  bytes: number;
}

const segmentBytesMax = 8 * 1024 * 1024;
// Bounds how long a lead waits for the bytes and checksums of others, and lets small writes use the last space of a disk.
const writeBytesMax = 512 * 1024;

/**
 * An append-only journal. `append` resolves when the record is on disk, never before.
 *
 *   idle    → writing  by the first append
 *   writing → writing  while appends wait: those that arrive during a write share the next one and its sync
 *   writing → idle     when no append waits
 *
 * After a failed write or sync, the kernel may drop the pages and report the next sync as a success. So a segment that
 * failed is never written again: its pending appends fail, and the next write opens a new segment.
 */
export class Journal {
  readonly #dir: string;
  readonly #disk: Disk;
  readonly #clock: Clock;
  #waiting: Append[] = [];
  #running: Promise<void> | null = null;
  #segment: OpenSegment | null = null;
  #openingName: string | null = null;
  #sequence = 0n;
  #onSealed: (() => void)[] = [];

  constructor(dir: string, { disk, clock }: JournalDeps) {
    this.#dir = dir;
    this.#disk = disk;
    this.#clock = clock;
  }

  append(payload: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** The segment that may still grow, set before its file exists. All others are complete. */
  get openSegment(): string | null {
    return this.#segment?.name ?? this.#openingName;
  }

  /** Closes the segment after the write under way, even if more appends wait, so that it can be drained. */
  async seal(): Promise<void> {
    if (this.#running === null) await this.#closeSegment();
    else await new Promise<void>((resolve) => this.#onSealed.push(resolve));
  }

  async #run(): Promise<void> {
    // All appends in this turn of the event loop share the first write.
    await this.#clock.turn();
    while (this.#waiting.length > 0) {
      await this.#write(this.#takeBatch());
      if (this.#onSealed.length > 0) await this.#closeSegment();
      for (const resolve of this.#onSealed.splice(0)) resolve();
    }
    this.#running = null;
  }

  #takeBatch(): Append[] {
    let bytes = 0;
    let count = 0;
    for (const { payload } of this.#waiting) {
      if (bytes >= writeBytesMax) break;
      bytes += payload.length;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(batch: Append[]): Promise<void> {
    try {
      if (this.#segment !== null && this.#segment.bytes >= segmentBytesMax) await this.#closeSegment();
      const segment = this.#segment ?? (await this.#openSegment());
      const records = batch.map(({ payload }) => encodeRecord(this.#sequence++, payload));
      await segment.file.write(Buffer.concat(records), segment.bytes);
      await segment.file.sync();
      for (const record of records) segment.bytes += record.length;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      await this.#giveUpSegment();
      for (const { reject } of batch) reject(error as Error);
    }
  }

  /** Truncates what the failed write may have left behind, because every byte counts on a full disk. */
  async #giveUpSegment(): Promise<void> {
    await this.#segment?.file.truncate(this.#segment.bytes).catch(() => {});
    await this.#closeSegment();
  }

  async #openSegment(): Promise<OpenSegment> {
    const name = segmentName(this.#sequence);
    // Otherwise the drain would consider the empty file complete and remove it.
    this.#openingName = name;
    try {
      const file = await this.#disk.create(join(this.#dir, name));
      this.#segment = { name, file, bytes: 0 };
    } finally {
      this.#openingName = null;
    }
    await this.#disk.syncFolder(this.#dir);
    return this.#segment;
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (segment === null) return;
    this.#segment = null;
    await segment.file.close().catch(() => {});
    // Nothing in it was acknowledged, and on a full disk each attempt would leave a file behind.
    if (segment.bytes === 0) await this.#disk.remove(join(this.#dir, segment.name)).catch(() => {});
  }
}
