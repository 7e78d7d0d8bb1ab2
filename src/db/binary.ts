/**
 * PostgreSQL's binary format of array parameters. `pg` would write arrays as text, with each body in hex and escaped,
 * which takes longer on the ingest path than the rest of a commit.
 */
const oid = { bytea: 17, int2: 21, text: 25, timestamptz: 1184, uuid: 2950, jsonb: 3802 } as const;

const headerBytes = 20;
const lengthBytes = 4;

export function byteaArray(elements: readonly (Uint8Array | null)[]): Buffer {
  return variableArray(oid.bytea, elements, 0);
}

export function textArray(elements: readonly string[]): Buffer {
  return variableArray(oid.text, elements.map(wordBytes), 0);
}

export function uuidArray(elements: readonly (Uint8Array | null)[]): Buffer {
  return variableArray(oid.uuid, elements, 0);
}

/** Of UUIDs as text, none of which is null. */
export function uuidTextArray(elements: readonly string[]): Buffer {
  return fixedArray(oid.uuid, elements, uuidBytes, writeUuid);
}

/** Elements are JSON texts; each is preceded by the version of jsonb's binary format. */
export function jsonbArray(elements: readonly (Uint8Array | null)[]): Buffer {
  return variableArray(oid.jsonb, elements, 1);
}

export function int2Array(elements: readonly number[]): Buffer {
  return fixedArray(oid.int2, elements, 2, (array, value, at) => array.writeInt16BE(value, at));
}

// PostgreSQL counts microseconds from the start of the year 2000.
const epochMs = Date.UTC(2000, 0, 1);
const halfLimit = 2 ** 32;

export function timestampArray(elements: readonly number[]): Buffer {
  return fixedArray(oid.timestamptz, elements, 8, (array, ms, at) => {
    const micros = (ms - epochMs) * 1000;
    // As two halves, because large integers are slow.
    const high = Math.floor(micros / halfLimit);
    return array.writeUInt32BE(micros - high * halfLimit, array.writeInt32BE(high, at));
  });
}

export function binaryUuid(uuid: string): Buffer {
  const bytes = Buffer.alloc(uuidBytes);
  writeUuid(bytes, uuid, 0);
  return bytes;
}

const uuidBytes = 16;

/** Quicker than to remove the hyphens and decode the rest. */
function writeUuid(array: Buffer, uuid: string, start: number): number {
  let at = start;
  for (let place = 0; place < uuid.length; place += 2) {
    if (uuid.charCodeAt(place) === hyphen) place++;
    array[at++] = (digitOf(uuid.charCodeAt(place)) << 4) | digitOf(uuid.charCodeAt(place + 1));
  }
  return at;
}

const hyphen = 0x2d;

/** Of a hexadecimal digit: letters follow 0x40 or 0x60, digits 0x30. */
function digitOf(code: number): number {
  return (code & 0xf) + (code >> 6) * 9;
}

/** Null elements become SQL's null. */
function variableArray(type: number, elements: readonly (Uint8Array | null)[], versionBytes: 0 | 1): Buffer {
  let size = headerBytes;
  let hasNull = 0;
  for (const element of elements) {
    if (element === null) hasNull = 1;
    size += lengthBytes + (element === null ? 0 : versionBytes + element.length);
  }
  const array = withHeader(size, type, elements.length, hasNull);
  let at = headerBytes;
  for (const element of elements) {
    if (element === null) {
      at = array.writeInt32BE(-1, at);
      continue;
    }
    at = array.writeInt32BE(versionBytes + element.length, at);
    if (versionBytes === 1) at = array.writeUInt8(1, at);
    array.set(element, at);
    at += element.length;
  }
  return array;
}

function fixedArray<Element>(
  type: number,
  elements: readonly Element[],
  elementBytes: number,
  write: (array: Buffer, value: Element, at: number) => number,
): Buffer {
  const array = withHeader(
    headerBytes + elements.length * (lengthBytes + elementBytes),
    type,
    elements.length,
    0,
  );
  let at = headerBytes;
  for (const element of elements) at = write(array, element, array.writeInt32BE(elementBytes, at));
  return array;
}

function withHeader(size: number, type: number, length: number, hasNull: number): Buffer {
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0); // one dimension
  array.writeInt32BE(hasNull, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16); // indexes start at 1
  return array;
}

// Cached, because surfaces, grades, verdicts and rulesets are a few short words that recur in every batch.
const words = new Map<string, Buffer>();

function wordBytes(word: string): Buffer {
  const known = words.get(word);
  if (known !== undefined) return known;
  const bytes = Buffer.from(word);
  words.set(word, bytes);
  return bytes;
}
