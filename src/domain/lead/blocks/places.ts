/**
 * So many leads are in each piece of a run but the last. Readers know by it where a run ends, so blocks with other pieces would have
 * to be built again.
 */
export const pieceLeads = 64;

/** Which leads of a block: a bitmap, or a list of 16-bit numbers if that is shorter. */
export function encodePlaces(places: readonly number[], leads: number): Buffer {
  const bitmapBytes = bytesFor(leads);
  if (places.length * 2 < bitmapBytes) {
    const list = Buffer.alloc(places.length * 2);
    for (const [i, place] of places.entries()) list.writeUInt16LE(place, i * 2);
    return list;
  }
  const bitmap = Buffer.alloc(bitmapBytes);
  for (const place of places) bitmap[place >> 3] = (bitmap[place >> 3] as number) | (1 << (place & 7));
  return bitmap;
}

export function bitmapOf(encoded: Buffer, leads: number): Uint8Array {
  const bitmapBytes = bytesFor(leads);
  if (encoded.length === bitmapBytes) return encoded;
  const bitmap = new Uint8Array(bitmapBytes);
  for (let at = 0; at < encoded.length; at += 2) {
    const place = encoded.readUInt16LE(at);
    bitmap[place >> 3] = (bitmap[place >> 3] as number) | (1 << (place & 7));
  }
  return bitmap;
}

/** In ascending order. */
export function placesIn(bitmap: Uint8Array): number[] {
  const places: number[] = [];
  for (const [i, byte] of bitmap.entries())
    if (byte !== 0) for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) places.push(i * 8 + bit);
  return places;
}

function bytesFor(leads: number): number {
  return Math.ceil(leads / 8);
}
