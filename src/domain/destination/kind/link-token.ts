import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the link of an email does for its recipient. */
export type LinkPurpose = 'confirm' | 'unsubscribe';

const idBytes = 16;
const codeBytes = 16;
const idShape = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/**
 * Names a recipient, and proves that this service wrote it: nobody else knows the secret of the destination. A link that
 * confirms also has the time at which it was asked for, so that an older one is no longer valid.
 */
export function linkToken(
  purpose: LinkPurpose,
  recipientId: string,
  askedAt: Date | null,
  secret: string,
): string {
  const id = Buffer.from(recipientId.replaceAll('-', ''), 'hex');
  const code = createHmac('sha256', secret)
    .update(`${purpose} ${recipientId} ${askedAt?.toISOString() ?? ''}`)
    .digest()
    .subarray(0, codeBytes);
  return Buffer.concat([id, code]).toString('base64url');
}

/** Anyone can write such a token: `isLinkToken` says whether it is ours. */
export function recipientIdIn(token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  // Written in another way, the same bytes are not a token.
  if (bytes.length !== idBytes + codeBytes || bytes.toString('base64url') !== token) return null;
  return bytes.toString('hex', 0, idBytes).replace(idShape, '$1-$2-$3-$4-$5');
}

export function isLinkToken(
  token: string,
  purpose: LinkPurpose,
  recipientId: string,
  askedAt: Date | null,
  secret: string,
): boolean {
  const given = Buffer.from(token);
  const expected = Buffer.from(linkToken(purpose, recipientId, askedAt, secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
