/**
 * PostgreSQL's binary format of array parameters. `pg` would write arrays as text, with each body in hex and
 * escaped; on the ingest path that costs more than all the rest of a commit.
 */
export const oid = { bytea: 17, int2: 21, text: 25, uuid: 2950, jsonb: 3802, timestamptz: 1184 } as const;

const headerBytes = 20;
const lengthBytes = 4;

/** Each element already in the binary format of its type; null is SQL's null. */
export function binaryArray(elementType: number, elements: readonly (Uint8Array | null)[]): Buffer {
  let size = headerBytes;
  let hasNull = 0;
  for (const element of elements) {
    size += lengthBytes;
    if (element === null) hasNull = 1;
    else size += element.length;
  }
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0); // one dimension
  array.writeInt32BE(hasNull, 4);
  array.writeInt32BE(elementType, 8);
  array.writeInt32BE(elements.length, 12);
  array.writeInt32BE(1, 16); // indexes start at 1
  let at = headerBytes;
  for (const element of elements) {
    if (element === null) {
      at = array.writeInt32BE(-1, at);
    } else {
      at = array.writeInt32BE(element.length, at);
      array.set(element, at);
      at += element.length;
    }
  }
  return array;
}

export function binaryUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function binaryInt2(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

// PostgreSQL counts microseconds from the start of the year 2000.
const epochMs = Date.UTC(2000, 0, 1);

export function binaryTimestamp(ms: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(ms - epochMs) * 1000n);
  return bytes;
}

const jsonbVersion = Buffer.of(1);

export function binaryJsonb(json: Uint8Array): Buffer {
  return Buffer.concat([jsonbVersion, json]);
}
