import { crc32c } from './crc32c.ts';

/**
 * One record of a segment:
 *
 *   magic 4 | length of the payload 4 | CRC-32C 4 | sequence 8 | payload
 *
 * The checksum covers sequence and payload, so that a stale record from another place on the disk is not mistaken for
 * this one. The length is checked before anything is allocated for it.
 */
const magic = 0x4c475231; // "LGR1"
export const headBytes = 20;
const checksumFrom = 12;
export const payloadBytesMax = 256 * 1024;

export interface SpoolRecord {
  readonly sequence: bigint;
  readonly payload: Buffer;
}

export function encodeRecord(sequence: bigint, payload: Buffer): Buffer {
  const record = Buffer.allocUnsafe(headBytes + payload.length);
  record.writeUInt32BE(magic, 0);
  record.writeUInt32BE(payload.length, 4);
  record.writeBigUInt64BE(sequence, checksumFrom);
  payload.copy(record, headBytes);
  record.writeUInt32BE(crc32c(record.subarray(checksumFrom)), 8);
  return record;
}

/** What a segment contains at a given offset. */
export type Decoded =
  | { readonly kind: 'record'; readonly record: SpoolRecord; readonly end: number }
  /** Not a complete, valid record. */
  | { readonly kind: 'damage' }
  | { readonly kind: 'end' };

export function decodeRecord(segment: Buffer, at: number): Decoded {
  if (at === segment.length) return { kind: 'end' };
  if (at + headBytes > segment.length || segment.readUInt32BE(at) !== magic) return { kind: 'damage' };
  const length = segment.readUInt32BE(at + 4);
  const end = at + headBytes + length;
  if (length > payloadBytesMax || end > segment.length) return { kind: 'damage' };
  if (crc32c(segment.subarray(at + checksumFrom, end)) !== segment.readUInt32BE(at + 8))
    return { kind: 'damage' };
  const sequence = segment.readBigUInt64BE(at + checksumFrom);
  return { kind: 'record', record: { sequence, payload: segment.subarray(at + headBytes, end) }, end };
}

/** True when the rest of the segment can be the start of a record, or space that was never written. */
export function isCutShort(segment: Buffer, at: number): boolean {
  const rest = segment.subarray(at);
  if (rest.length < headBytes || rest.every((byte) => byte === 0)) return true;
  const length = rest.readUInt32BE(4);
  return rest.readUInt32BE(0) === magic && length <= payloadBytesMax && headBytes + length > rest.length;
}

/** The offset of the next valid record at or after `from`; null when there is none. */
export function findRecord(segment: Buffer, from: number): number | null {
  const mark = Buffer.alloc(4);
  mark.writeUInt32BE(magic);
  for (let at = segment.indexOf(mark, from); at !== -1; at = segment.indexOf(mark, at + 1)) {
    if (decodeRecord(segment, at).kind === 'record') return at;
  }
  return null;
}
