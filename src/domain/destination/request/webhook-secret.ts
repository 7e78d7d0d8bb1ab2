/** A secret of Standard Webhooks: `whsec_`, and 24 to 64 bytes in base64. */
export const webhookSecretPrefix = 'whsec_';
export const webhookSecretRule = `use ${webhookSecretPrefix} and 24 to 64 bytes in base64`;

/** Libraries differ in what else they accept, so only padded base64 of the standard alphabet counts. */
const base64Shape = /^(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const bytesMax = 64;

export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(webhookSecretPrefix.length);
  if (!text.startsWith(webhookSecretPrefix) || !base64Shape.test(encoded)) return false;
  const padding = encoded.endsWith('==') ? 2 : Number(encoded.endsWith('='));
  return (encoded.length / 4) * 3 - padding <= bytesMax;
}
