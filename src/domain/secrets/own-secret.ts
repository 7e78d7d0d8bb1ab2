import { isWellFormedApiKey } from '../api-key/api-key.ts';
import { mintSecretPrefix } from '../browser/secrets.ts';
import { isWebhookSecret } from '../destination/request/webhook-secret.ts';
import { isWellFormedToken } from '../token.ts';
import { isChecksummed } from './checksummed.ts';

/** Whether a text has the format of a credential that we hand out. */
export function isOwnSecret(text: string): boolean {
  if (text.startsWith(mintSecretPrefix)) return isChecksummed(text, mintSecretPrefix.length);
  return isWellFormedToken(text) || isWellFormedApiKey(text) || isWebhookSecret(text);
}
