import { hash, randomBytes } from 'node:crypto';

const tokenBytes = 32;

/** The secret in a link that works once. Only its hash is stored. */
export function mintLinkToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
