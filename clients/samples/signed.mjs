// Sends one lead as a signed webhook. Needs Node 18 or newer, and no package.
import { createHmac } from 'node:crypto';

const { LEADGATE_URL, LEADGATE_SLUG, LEADGATE_SECRET } = process.env;

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
  },
  body,
});
process.stdout.write(await answer.text());
