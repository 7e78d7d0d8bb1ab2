// Sends one lead as a signed webhook. Needs Node 18 or newer, and no package.
import { createHmac, randomUUID } from 'node:crypto';

const { LEADGATE_URL, LEADGATE_SLUG, LEADGATE_SECRET, LEADGATE_KEY = randomUUID() } = process.env;

// The secret exactly as it was shown, prefix included: no newline, no quotes, not decoded.
const secret = LEADGATE_SECRET;
// Unix seconds, taken once: the same value is signed and sent.
const timestamp = String(Math.floor(Date.now() / 1000));
// Made once: these very bytes are signed and sent.
const body = Buffer.from(JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }));

// Timestamp, a dot, body.
const message = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
// HMAC-SHA256 as 64 hex characters.
const signature = createHmac('sha256', secret).update(message).digest('hex');

const answer = await fetch(`${LEADGATE_URL}/api/v1/ingest/${LEADGATE_SLUG}`, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
    // The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
    'X-SVC-Idempotency-Key': LEADGATE_KEY,
  },
  body,
  signal: AbortSignal.timeout(10_000),
});
console.log(await answer.text());
// By this id the diagnostics find the reason for a rejection.
console.error(`Request ${answer.headers.get('X-Request-Id')}`);
// Only 202 means stored: a rejection is a 200.
if (answer.status !== 202) process.exitCode = 1;
