import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export type SigningKey = KeyObject | string;

export const timestampToleranceSeconds = 300;

const timestampShape = /^[0-9]{1,12}$/;
const signatureShape = /^(?:sha256=)?([0-9a-fA-F]{64})$/;

/** HMAC-SHA256 over "{timestamp}.{raw body}": the timestamp exactly as sent, the body exactly as it arrived. */
export function sign(secret: SigningKey, timestamp: string, body: Uint8Array): Buffer {
  return hmacSha256(secret, Buffer.from(`${timestamp}.`, 'latin1'), body);
}

export function hmacSha256(secret: SigningKey, ...parts: Uint8Array[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The 32 bytes of a signature header, or null if it is not 64 hex characters. */
export function parseSignature(headerValue: string): Buffer | null {
  const match = signatureShape.exec(headerValue);
  return match === null ? null : Buffer.from(match[1] as string, 'hex');
}

/** Unix seconds, or null if the header is not a plain number. */
export function parseTimestamp(headerValue: string): number | null {
  return timestampShape.test(headerValue) ? Number(headerValue) : null;
}

/** Positive if the sender's clock is ahead. In whole seconds, the unit of the header. */
export function driftSeconds(timestampSeconds: number, nowMs: number): number {
  return timestampSeconds - Math.floor(nowMs / 1000);
}

/** A difference of exactly the tolerance is still accepted. */
export function isWithinTolerance(timestampSeconds: number, nowMs: number): boolean {
  return Math.abs(driftSeconds(timestampSeconds, nowMs)) <= timestampToleranceSeconds;
}

export function signaturesEqual(received: Buffer, expected: Buffer): boolean {
  return received.length === expected.length && timingSafeEqual(received, expected);
}

export interface VerifiedSignature {
  /** As computed by us, over the exact timestamp and body. */
  readonly digest: Buffer;
  readonly timestampSeconds: number;
  /** Signed with the previous secret, which is valid until the overlap of a rotation ends. */
  readonly isByFormerSecret: boolean;
}
