// Sends one lead with a server token. Needs Node 18 or newer, and no package.
import { randomUUID } from 'node:crypto';

const { LEADGATE_URL, LEADGATE_TOKEN, LEADGATE_KEY = randomUUID() } = process.env;

const answer = await fetch(`${LEADGATE_URL}/api/v1/ingest`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${LEADGATE_TOKEN}`,
    'Content-Type': 'application/json',
    // The same key on every attempt: a repeat within 24 hours gets the original answer and stores nothing.
    'X-SVC-Idempotency-Key': LEADGATE_KEY,
  },
  body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }),
  signal: AbortSignal.timeout(10_000),
});
console.log(await answer.text());
// By this id the diagnostics find the reason for a rejection.
console.error(`Request ${answer.headers.get('X-Request-Id')}`);
// Only 202 means stored: a rejection is a 200.
if (answer.status !== 202) process.exitCode = 1;
