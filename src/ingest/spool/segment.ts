import { decodeRecord, findRecord, isCutShort, type SpoolRecord } from './record.ts';

/** A stretch of bytes in a segment that holds no sound record. */
export interface Damage {
  readonly from: number;
  readonly to: number;
  /** At the end of the segment: a write that was cut off, and so was never answered. */
  readonly isTorn: boolean;
}

export interface PlacedRecord extends SpoolRecord {
  /** Where the record ends in its segment. */
  readonly end: number;
}

export interface SegmentContents {
  readonly records: readonly PlacedRecord[];
  readonly damages: readonly Damage[];
}

/** Reads all that is sound. Damage never hides what stands behind it. */
export function readSegment(bytes: Buffer): SegmentContents {
  const records: PlacedRecord[] = [];
  const damages: Damage[] = [];
  let at = 0;
  for (;;) {
    const decoded = decodeRecord(bytes, at);
    if (decoded.kind === 'end') return { records, damages };
    if (decoded.kind === 'record') {
      records.push({ ...decoded.record, end: decoded.end });
      at = decoded.end;
      continue;
    }
    const next = findRecord(bytes, at + 1);
    damages.push({ from: at, to: next ?? bytes.length, isTorn: next === null && isCutShort(bytes, at) });
    if (next === null) return { records, damages };
    at = next;
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
