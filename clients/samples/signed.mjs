// Sends one lead as a signed webhook. Needs Node 18 or newer, no packages.
import { createHmac, randomUUID } from 'node:crypto';

const { LEADGATE_URL, LEADGATE_SLUG, LEADGATE_SECRET, LEADGATE_IDEMPOTENCY_KEY = randomUUID() } = process.env;

// The secret exactly as it was shown, prefix included: no quotes, not decoded, and without the newline that files often add.
const secret = LEADGATE_SECRET.replace(/[\r\n]+$/, '');
// Unix seconds, taken once: the same value is signed and sent.
const timestamp = String(Math.floor(Date.now() / 1000));
// Built once: exactly these bytes are signed and sent.
const body = Buffer.from(JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }));

// Timestamp, a dot, body.
const message = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
// HMAC-SHA256 as 64 hex characters.
const signature = createHmac('sha256', secret).update(message).digest('hex');

const response = await fetch(`${LEADGATE_URL}/api/v1/ingest/${LEADGATE_SLUG}`, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
    // Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
    'X-SVC-Idempotency-Key': LEADGATE_IDEMPOTENCY_KEY,
  },
  body,
  signal: AbortSignal.timeout(10_000),
});
console.log(await response.text());
// Look up this ID in the diagnostics to see why a lead was rejected.
console.error(`Request ${response.headers.get('X-Request-Id')}`);
// Only 202 means stored; a rejection is a 200.
if (response.status !== 202) process.exitCode = 1;
