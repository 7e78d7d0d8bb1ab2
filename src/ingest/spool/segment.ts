import type { Clock } from '../../time/clock.ts';
import { decodeRecord, findRecord, isCutShort, type SpoolRecord } from './record.ts';

/** A range of bytes in a segment without a valid record. */
export interface Damage {
  readonly from: number;
  readonly to: number;
  /** At the end of the segment: an interrupted write, whose leads were never acknowledged. */
  readonly isTorn: boolean;
}

interface PlacedRecord extends SpoolRecord {
  /** Where the record ends in its segment. */
  readonly end: number;
}

export interface SegmentContents {
  readonly records: readonly PlacedRecord[];
  readonly damages: readonly Damage[];
}

/** Reads all valid records. Damage never hides the records behind it. */
export function readSegment(bytes: Buffer): SegmentContents {
  const reader = new SegmentReader(bytes);
  while (reader.step());
  return reader;
}

/** The same, but yields to the event loop in between, because the checksums of a whole segment take long. */
export async function readSegmentInTurns(bytes: Buffer, clock: Clock): Promise<SegmentContents> {
  const reader = new SegmentReader(bytes);
  for (let turnAt = 0; reader.step(); ) {
    if (reader.at - turnAt < turnBytes) continue;
    turnAt = reader.at;
    await clock.turn();
  }
  return reader;
}

const turnBytes = 256 * 1024;

class SegmentReader implements SegmentContents {
  readonly records: PlacedRecord[] = [];
  readonly damages: Damage[] = [];
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** False at the end. */
  step(): boolean {
    const decoded = decodeRecord(this.#bytes, this.at);
    if (decoded.kind === 'end') return false;
    if (decoded.kind === 'record') {
      this.records.push({ ...decoded.record, end: decoded.end });
      this.at = decoded.end;
      return true;
    }
    const next = findRecord(this.#bytes, this.at + 1);
    const isTorn = next === null && isCutShort(this.#bytes, this.at);
    this.damages.push({ from: this.at, to: next ?? this.#bytes.length, isTorn });
    this.at = next ?? this.#bytes.length;
    return next !== null;
  }
}

const numberDigits = 20;
const ending = '.log';

/** Segments are named by their first sequence number, so that names sort by age. */
export function segmentName(firstSequence: bigint): string {
  return firstSequence.toString().padStart(numberDigits, '0') + ending;
}

export function isSegmentName(name: string): boolean {
  return name.length === numberDigits + ending.length && /^\d+\.log$/.test(name);
}
