import { hash, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Google Ads proves a call by a secret inside its body. */
const name = Buffer.from('"google_key"');
const mentionsMax = 4;
const bytesMax = 256;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where the value of `google_key` is; null without one. Bounded, because anyone can send any body. */
export function googleKeyIn(body: Buffer): Place | null {
  let at = body.indexOf(name);
  for (let mentions = 0; at !== -1 && mentions < mentionsMax; mentions++) {
    const after = at + name.length;
    const window = body.toString('latin1', after, after + bytesMax);
    const [whole, space] = /^(\s*:\s*")[^"\\]+(?=")/.exec(window) ?? [];
    if (whole !== undefined && space !== undefined)
      return { start: after + space.length, end: after + whole.length };
    at = body.indexOf(name, after);
  }
  return null;
}

export function isGoogleKey(body: Buffer, { start, end }: Place, keys: readonly KeyObject[]): boolean {
  const received = hash('sha256', body.subarray(start, end), 'buffer');
  return keys.some((key) => timingSafeEqual(received, hash('sha256', key.export(), 'buffer')));
}

/** A copy in which nobody can read the key. */
export function withoutGoogleKey(body: Buffer, { start, end }: Place): Buffer {
  return Buffer.from(body).fill('*', start, end);
}
