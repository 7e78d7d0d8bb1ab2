import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleLanguages } from '../../clients/fill-sample.ts';
import { mistakes } from '../../src/domain/signature-debug/mistakes.ts';

/** The pages on signing and on the debugger. Samples and the table of mistakes are included from their sources. */
const samples = join(import.meta.dirname, '../../clients/samples');
const stepTitles = {
  headers: 'Headers',
  timestamp: 'Timestamp',
  body: 'Body',
  secret: 'Secret',
  message: 'What is signed',
  digest: 'How it is signed',
  signature: 'How the signature is written',
} as const;

export function signingPage(): string {
  return `# Signing leads

A request to \`POST /api/v1/ingest/:slug\` needs two headers:

| Header | Value |
|---|---|
| \`X-SVC-Timestamp\` | Time of signing in Unix seconds, 1 to 12 digits, within 5 minutes of the service's clock |
| \`X-SVC-Signature\` | HMAC-SHA256 of \`{timestamp}.{body}\` as 64 hex characters, optionally after \`sha256=\` |

- The key is the form's webhook secret as shown, in UTF-8: with its prefix, not decoded. A generated one begins with \`lgs_\`; the secrets of destinations begin with \`whsec_\`, and [those are decoded](webhook-verification.md).
- \`{timestamp}\` is the exact text of the header, followed by one dot and the body.
- \`{body}\` is the bytes you send, not a copy that was parsed and serialised again.
- Sign every attempt again: a retry with the old timestamp is rejected after 5 minutes. An \`X-SVC-Idempotency-Key\` keeps retries from being stored twice.

The prefix \`X-SVC-\` can be configured ([HEADER_PREFIX](configuration.md)).

## A test vector

Test your code with these values before you send anything:

| | |
|---|---|
| secret | \`lgs_test\` |
| timestamp | \`1750000000\` |
| body | \`{"email":"ada@example.com"}\` |
| string to sign | \`1750000000.{"email":"ada@example.com"}\` |
| signature | \`a9049ca5424d986f32ddd163fbca3c914b3f7ee00f51d57924cfa23a7f92e3a0\` |

If the signature is correct and your requests are still rejected, use the [signature debugger](signature-debugger.md).

## Samples of a signed lead

These are the files in [clients/samples](../clients/samples); the tests run them against the service. \`LEADGATE_URL\` is the URL of the service, \`LEADGATE_SLUG\` the
slug of the form, \`LEADGATE_SECRET\` its webhook secret.

Each sample exits with 0 only after a \`202\`, and with another code after a rejection, an unexpected response or 10 seconds without a response. \`LEADGATE_IDEMPOTENCY_KEY\` is the
[idempotency key](idempotency.md): set it to the ID of your record before you retry. Without it, each run creates another lead.

${samplesOf('signed')}
## Samples with an ingest token

For backends that can keep a secret; no signature needed. \`LEADGATE_TOKEN\` is an ingest token.

${samplesOf('token')}`;
}

function samplesOf(name: string): string {
  const sections = sampleLanguages.map(({ title, ending, markdown }) => {
    const code = readFileSync(join(samples, `${name}.${ending}`), 'utf8');
    return `### ${title}${name === 'token' ? ', with a token' : ''}\n\n\`\`\`${markdown}\n${code}\`\`\`\n`;
  });
  return sections.join('\n');
}

export function debuggerPage(): string {
  return `# Signature debugger

Senders only learn that a request was rejected. The owner of the form can find out why a signature was rejected:

\`\`\`sh
curl "localhost:3000/api/v1/workspaces/$workspace/forms/$form/signature-debug" -H "Authorization: Bearer $key" -d '{
  "timestamp": "1750000000",
  "signature": "944edad8…",
  "body": "{\\"email\\":\\"ada@example.com\\"}"
}'
\`\`\`

The debugger tries thousands of ways in which senders get signing wrong, until one reproduces the received signature. A match of 256 bits cannot be a coincidence: a mistake
that it names was really made. If it names none, the sender most likely uses another secret, or the body was changed in transit.

## Input

| Members | How you provide the request |
|---|---|
| \`body\` or \`body_base64\`, \`timestamp\`, \`signature\`, \`content_type\` | In parts; omit what was not sent |
| \`raw_request\` | As raw HTTP: request line, headers, an empty line, body |
| \`curl\` | As a curl command, with variables replaced by their values |
| \`rejection_id\` | As a rejection from the diagnostics; add \`body\` or \`body_base64\` if the sender claims to have sent another body |

\`received_at\` is the time to compare the timestamp with. By default it is the time of the rejection; for a pasted request its \`Date\` header, unless that is in the future, or
else now. A \`Date\` header was written by the sender's own clock, so it cannot show that this clock is wrong. \`try_secret\` is a secret to try besides the stored ones: the one
in the sender's settings, or an ingest token. It is not stored.

## Response

| Member | Contents |
|---|---|
| \`valid\`, \`verdict\` | Whether the request would pass, and why |
| \`judged_at\`, \`judged_by\` | The time that the timestamp was compared with, and where it comes from: \`rejection\`, \`received_at\`, \`date_header\` or \`now\` |
| \`request_id\` | The ID that the sender got with the response, for a rejection |
| \`checks\` | The checks of the service, in order: \`passed\`, \`failed\` or \`not_reached\`, each with a sentence |
| \`mistake\`, \`further_mistakes\` | Mistakes from the tables below |
| \`fix\` | What to do, with the correct lines in curl, Node, Python, PHP, Go and Ruby |
| \`string_to_sign\` | What to sign, with invisible characters shown: \`⟨LF⟩\`, \`⟨CR⟩\`, \`⟨BOM⟩\`, \`⟨NBSP⟩\`, and its length |
| \`difference\` | Where the signed body differs from the one that arrived |
| \`clock\` | The sender's clock compared with the service's |
| \`signature\` | The received signature, shortened |

You cannot use it to obtain signatures: no response contains the correct one or any part of it. A secret that the sender put in a header by mistake is replaced with \`[secret]\`
wherever a text quotes that header. The endpoint needs the role \`owner\` and allows 30 requests a minute for each
form. Each use is logged (\`"event":"signature_debug"\`) with the person and the form, but nothing of the request.

## In the settings area

In Diagnostics, *Debug signature* beside a rejection opens its verdict. The URL contains the request, so that you can reload the page or send the link to another owner. You can
also choose another rejected request, or paste one. *Sent at* takes the time when a pasted request was sent, as RFC 3339, as a \`Date\` header or in Unix seconds.

*Copy report for the sender* copies a text for the person who fixes the sender: verdict, checks, clock drift, request ID, and the fix in the language you chose. It contains no
secret, no complete signature and nothing of the body, so you can put it in a ticket.

## Mistakes it finds

${tableOfMistakes()}
It also finds combinations of two mistakes, plus errors in how the signature or the timestamp is written. For bodies of many kilobytes it skips the rarer pairs.

## What is kept of rejected requests

To debug a rejection by its ID, Leadgate keeps the timestamp header, the signature header, the content type and the body of requests that a form rejected as \`timestamp_…\` or
\`signature_…\`, as [held submissions](held.md). Anyone can send such a request, and it may contain personal data of people who have nothing to do with you, so they are limited:

- at most 100 requests a minute for each workspace, on each host, and 200 at a time: the oldest make way for new ones;
- encrypted with AES-256-GCM, with a key for each workspace that is not in the database (\`ENCRYPTION_KEY\`);
- deleted after 3 days, or immediately when the form is deleted or a lead of the same person or with the same body is erased;
- shown only to owners, and never logged.

Once you have set the right secret, those whose signature matches [can be admitted](held.md#after-a-wrong-secret).

Nothing is kept of accepted requests, or of a slug that another workspace once shared with yours: requests to it may come from that workspace's senders.
`;
}

function tableOfMistakes(): string {
  const rows = Object.entries(mistakes);
  const sections = Object.entries(stepTitles).map(([step, title]) => {
    const lines = rows
      .filter(([, row]) => row.step === step)
      .map(([code, row]) => `| \`${code}\` | ${row.title} | ${row.found} | ${row.fix} |`);
    return `### ${title}\n\n| Code | Mistake | How it is recognised | What to do |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return sections.join('\n');
}
