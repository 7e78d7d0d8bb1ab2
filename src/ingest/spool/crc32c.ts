/** CRC-32C (Castagnoli), the checksum of storage formats. Node has only CRC-32, as in zip files. */
const polynomial = 0x82f63b78;

/** Signed, because V8 stores signed 32-bit numbers without allocating. */
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  return crc;
});
/** Tables for a byte that is followed by one, two and three more, so that four bytes are processed per step. */
const third = Int32Array.from(table, (crc) => shifted(crc));
const second = Int32Array.from(third, (crc) => shifted(crc));
const first = Int32Array.from(second, (crc) => shifted(crc));

function shifted(crc: number): number {
  return (table[crc & 0xff] as number) ^ (crc >>> 8);
}

export function crc32c(bytes: Uint8Array): number {
  const { length } = bytes;
  let crc = -1;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    crc =
      (first[(crc ^ (bytes[at] as number)) & 0xff] as number) ^
      (second[((crc >>> 8) ^ (bytes[at + 1] as number)) & 0xff] as number) ^
      (third[((crc >>> 16) ^ (bytes[at + 2] as number)) & 0xff] as number) ^
      (table[((crc >>> 24) ^ (bytes[at + 3] as number)) & 0xff] as number);
  }
  for (; at < length; at++) crc = (table[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
