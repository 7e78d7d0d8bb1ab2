// Verifies a delivery: node verify.mjs < body. Needs Node 18 or newer, no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

/** `headers` has lowercase names, as those of a Node request. `body` is the bytes as they arrived. */
export function isFromLeadgate(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  // Without this, a recorded request could be sent again at any time.
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > 300) return false;
  // The key is the part after the prefix, decoded.
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // During a rotation there are two signatures, with a space between them.
  return signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const signature = Buffer.from(text, 'base64');
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

const { WEBHOOK_SECRET, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE } = process.env;
const headers = {
  'webhook-id': WEBHOOK_ID,
  'webhook-timestamp': WEBHOOK_TIMESTAMP,
  'webhook-signature': WEBHOOK_SIGNATURE,
};
const isValid = isFromLeadgate(WEBHOOK_SECRET, headers, await buffer(process.stdin));
console.log(isValid ? 'valid' : 'invalid');
process.exitCode = isValid ? 0 : 1;
