import type { Random } from '../../src/time/random.ts';

/** The contents of a file: as processes see them, and as they would be after a power loss. */
export class FileContents {
  live: Buffer = Buffer.alloc(0);
  #durable: Buffer = Buffer.alloc(0);
  /** After a failed sync, the kernel drops the pages and reports the next sync as a success: nothing more reaches the disk. */
  #isDropped = false;

  write(bytes: Buffer, position: number): void {
    const end = Math.max(this.live.length, position + bytes.length);
    const next = Buffer.alloc(end);
    this.live.copy(next);
    bytes.copy(next, position);
    this.live = next;
  }

  truncate(length: number): void {
    this.live = Buffer.from(this.live.subarray(0, length));
  }

  sync(): void {
    if (!this.#isDropped) this.#durable = this.live;
  }

  failSync(): void {
    this.#isDropped = true;
  }

  /** Unsynced data may survive in any form: all, nothing, a part, or a part followed by bytes never written. */
  losePower(random: Random): void {
    const [before, after] = [this.#durable, this.live];
    this.live = random.pick([before, after, torn(before, after, random)]);
    this.#durable = this.live;
    this.#isDropped = false;
  }
}

function torn(before: Buffer, after: Buffer, random: Random): Buffer {
  const kept = random.integer(commonLength(before, after), after.length);
  const zeroed = random.chance(0.5) ? random.integer(0, after.length - kept) : 0;
  return Buffer.concat([after.subarray(0, kept), Buffer.alloc(zeroed)]);
}

function commonLength(a: Buffer, b: Buffer): number {
  const end = Math.min(a.length, b.length);
  if (a.subarray(0, end).equals(b.subarray(0, end))) return end;
  let length = 0;
  while (a[length] === b[length]) length++;
  return length;
}
