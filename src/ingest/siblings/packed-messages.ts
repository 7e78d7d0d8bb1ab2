import type { Clock } from '../../time/clock.ts';
import type { HostLink } from './link.ts';

export interface PackedMessagesDeps {
  readonly link: Pick<HostLink, 'tell' | 'onTell'>;
  readonly clock: Pick<Clock, 'turn' | 'monotonic' | 'deadline'>;
  readonly topic: string;
  /** A multiple of 8, so that every record is aligned for all number types. */
  readonly recordBytes: number;
  readonly onRecord: (records: Records, index: number) => void;
}

const recordsFirst = 64;
/**
 * A message costs some 0.1 ms in each of the three processes that handle it. So a worker sends 20 a second, and 5 when it
 * has much to tell, which makes that less than 1 µs per record. One that was quiet may send several without a pause.
 */
const pauseMs = 50;
const longPauseMs = 200;
const longPauseFrom = 64;
const savedPausesMsMax = 500;

/** Records of one size in a row, seen as bytes and as numbers. */
export class Records {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly integers: Int32Array;
  readonly doubles: Float64Array;

  constructor(buffer: ArrayBuffer) {
    this.bytes = Buffer.from(buffer);
    this.integers = new Int32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }
}

/**
 * Tells the other workers of the host about many small things. A message costs far more than a record, so records share
 * messages.
 *
 *   idle      → scheduled  by the first record: for the end of this turn of the event loop, or, after many messages in a
 *                          short time, for the end of a pause
 *   scheduled → idle       when everything was sent, in one message
 */
export class PackedMessages {
  readonly #deps: PackedMessagesDeps;
  #records: Records;
  #count = 0;
  #pausesUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: PackedMessagesDeps) {
    this.#deps = deps;
    this.#records = new Records(new ArrayBuffer(recordsFirst * deps.recordBytes));
    deps.link.onTell(deps.topic, (content) => this.#receive(content as Uint8Array));
  }

  /** `write` gets the records and the index of the new one. */
  add(write: (records: Records, index: number) => void): void {
    if ((this.#count + 1) * this.#deps.recordBytes > this.#records.bytes.length) this.#grow();
    write(this.#records, this.#count);
    if (++this.#count === 1) this.#schedule();
  }

  #schedule(): void {
    const { clock } = this.#deps;
    const pauseLeft = this.#pausesUntil - clock.monotonic();
    if (pauseLeft > 0) clock.deadline(pauseLeft, () => this.#send());
    else void clock.turn().then(() => this.#send());
  }

  #send(): void {
    const { link, clock, topic, recordBytes } = this.#deps;
    link.tell(topic, new Uint8Array(this.#records.bytes.subarray(0, this.#count * recordBytes)));
    const pause = this.#count < longPauseFrom ? pauseMs : longPauseMs;
    this.#pausesUntil = Math.max(this.#pausesUntil, clock.monotonic() - savedPausesMsMax) + pause;
    this.#count = 0;
  }

  #receive(content: Uint8Array): void {
    // Copied, because it may lie unaligned in a larger buffer.
    const records = new Records(new Uint8Array(content).buffer);
    const count = content.length / this.#deps.recordBytes;
    for (let index = 0; index < count; index++) this.#deps.onRecord(records, index);
  }

  #grow(): void {
    const larger = new Records(new ArrayBuffer(this.#records.bytes.length * 2));
    this.#records.bytes.copy(larger.bytes);
    this.#records = larger;
  }
}
