// Sends one lead with an ingest token. Needs Node 18 or newer, no packages.
import { randomUUID } from 'node:crypto';

const { LEADGATE_URL, LEADGATE_TOKEN, LEADGATE_IDEMPOTENCY_KEY = randomUUID() } = process.env;

const response = await fetch(`${LEADGATE_URL}/api/v1/ingest`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${LEADGATE_TOKEN}`,
    'Content-Type': 'application/json',
    // Use the same key for every attempt: a retry within 24 hours gets the original response and stores nothing.
    'X-SVC-Idempotency-Key': LEADGATE_IDEMPOTENCY_KEY,
  },
  body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }),
  signal: AbortSignal.timeout(10_000),
});
console.log(await response.text());
// Look up this ID in the diagnostics to see why a lead was rejected.
console.error(`Request ${response.headers.get('X-Request-Id')}`);
// Only 202 means stored; a rejection is a 200.
if (response.status !== 202) process.exitCode = 1;
