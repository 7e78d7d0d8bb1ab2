import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

const macBytes = 32;
const lengthBytes = 2;
const textCharactersMax = 1_500;
const shape = /^[A-Za-z0-9_-]+$/;

/** Fields and their HMAC-SHA-256 as one text. */
export interface SignedFields {
  readonly fields: readonly Buffer[];
  readonly signed: Buffer;
  readonly mac: Buffer;
}

/** base64url of the fields, each after its length in two bytes, followed by the HMAC of all that. */
export function signFields(fields: readonly Buffer[], key: KeyObject): string {
  const signed = pack(fields);
  return Buffer.concat([signed, macOf(signed, key)]).toString('base64url');
}

/** Null unless it is the one spelling of exactly so many fields. */
export function readSignedFields(text: string, fieldCount: number): SignedFields | null {
  if (text.length > textCharactersMax || !shape.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= macBytes || bytes.toString('base64url') !== text) return null;
  const signed = bytes.subarray(0, -macBytes);
  const fields = unpack(signed);
  return fields?.length === fieldCount ? { fields, signed, mac: bytes.subarray(-macBytes) } : null;
}

export function isSignedWith({ signed, mac }: SignedFields, key: KeyObject): boolean {
  return timingSafeEqual(macOf(signed, key), mac);
}

function macOf(signed: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}

function pack(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt16BE(field.length);
      return [length, field];
    }),
  );
}

function unpack(bytes: Buffer): Buffer[] | null {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + lengthBytes > bytes.length) return null;
    const from = at + lengthBytes;
    at = from + bytes.readUInt16BE(at);
    if (at > bytes.length) return null;
    fields.push(bytes.subarray(from, at));
  }
  return fields;
}
