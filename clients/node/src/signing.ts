const encoder = new TextEncoder();

const signatureShape = /^(?:sha256=)?([0-9a-f]{64})$/;
const timestampShape = /^[0-9]{1,12}$/;
const toleranceSecondsDefault = 300;

/** Strings are encoded as UTF-8. */
export type Bytes = Uint8Array | string;

export interface SignedMessage {
  /** The exact bytes that are sent or were received, never a copy that was parsed and serialised again. */
  readonly body: Bytes;
  /** Value of the timestamp header. */
  readonly timestamp: string;
  /** Value of the signature header. */
  readonly signature: string;
  /** The valid secrets: the current one and, during a rotation, the previous one. */
  readonly secrets: readonly string[];
  /** How far the timestamp may differ from `nowMs`, in either direction. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the clock of this machine. */
  readonly nowMs?: number;
}

/** HMAC-SHA256 over "{timestamp}.{body}" as 64 lower-case hex characters. */
export async function sign(secret: string, timestamp: string, body: Bytes): Promise<string> {
  const digest = await hmac(secret, message(timestamp, body));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether one of the secrets signed these bytes within the tolerance. Await the result: a promise is always truthy. */
export async function verify(signed: SignedMessage): Promise<boolean> {
  const { body, timestamp, secrets, toleranceSeconds = toleranceSecondsDefault, nowMs = Date.now() } = signed;
  const received = signatureShape.exec(signed.signature.toLowerCase())?.[1];
  if (received === undefined || !timestampShape.test(timestamp)) return false;
  const text = message(timestamp, body);
  let isSigned = false;
  // Tries every secret in constant time, so that timing does not reveal which one matched.
  for (const secret of secrets) {
    const isMatch = isEqual(await hmac(secret, text), bytesOfHex(received));
    isSigned = isSigned || isMatch;
  }
  const driftSeconds = Number(timestamp) - Math.floor(nowMs / 1000);
  return isSigned && Math.abs(driftSeconds) <= toleranceSeconds;
}

export function bytesOf(body: Bytes): Uint8Array<ArrayBuffer> {
  // A copy, so that a caller who reuses the buffer cannot change what is signed or retried.
  return typeof body === 'string' ? encoder.encode(body) : Uint8Array.from(body);
}

function message(timestamp: string, body: Bytes): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(`${timestamp}.`);
  const rest = bytesOf(body);
  const whole = new Uint8Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole;
}

async function hmac(secret: string, text: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (secret === '') throw new TypeError('The webhook secret is empty.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [place, byte] of one.entries()) difference |= byte ^ (other[place] ?? 0);
  return difference === 0;
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
