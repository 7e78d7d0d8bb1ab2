import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { hmacSha256 } from '../../signature.ts';
import { webhookSecretPrefix } from './webhook-secret.ts';

const newSecretBytes = 32;

export function newWebhookSecret(): string {
  return webhookSecretPrefix + randomBytes(newSecretBytes).toString('base64');
}

/** Made once for many messages. */
export function webhookKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(webhookSecretPrefix.length), 'base64');
}

export interface SignedMessage {
  /** The same on every try. */
  readonly id: string;
  /** The time of this try. */
  readonly at: Date;
  readonly body: Uint8Array;
}

export type WebhookHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/**
 * The headers of Standard Webhooks. During a rotation there are two secrets, the newest first: receivers accept a request
 * if one signature matches, whichever secret they know.
 */
export function webhookHeaders({ id, at, body }: SignedMessage, keys: readonly KeyObject[]): WebhookHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const head = Buffer.from(`${id}.${timestamp}.`);
  const signatures = keys.map((key) => `v1,${hmacSha256(key, head, body).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
