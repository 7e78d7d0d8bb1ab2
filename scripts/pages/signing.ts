import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleLanguages } from '../../clients/fill-sample.ts';
import { mistakes } from '../../src/domain/signature-debug/mistakes.ts';

/** The pages on signing and on the debugger. Samples and the table of mistakes are put in from where they live. */
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

A request to \`POST /api/v1/ingest/:slug\` carries two headers of its own:

| Header | Value |
|---|---|
| \`X-SVC-Timestamp\` | the time of signing in Unix seconds, 1 to 12 digits; at most 5 minutes from the service's clock, either way |
| \`X-SVC-Signature\` | HMAC-SHA256 of \`{timestamp}.{body}\` as 64 hex characters, alone or after \`sha256=\` |

- The key is the form's webhook secret as it was shown, in UTF-8: prefix included, not decoded.
- \`{timestamp}\` is exactly the text of the header, then one dot, then the body.
- \`{body}\` are the bytes that are sent, not a copy that was parsed and written anew.
- Sign anew for each attempt: a repeated request with its old timestamp is refused after 5 minutes. An
  \`X-SVC-Idempotency-Key\` keeps repeats from being stored twice.

The prefix \`X-SVC-\` can be configured ([HEADER_PREFIX](configuration.md)).

## A test vector

Try your code on this before you send anything:

| | |
|---|---|
| secret | \`whsec_test\` |
| timestamp | \`1750000000\` |
| body | \`{"email":"ada@example.com"}\` |
| string to sign | \`1750000000.{"email":"ada@example.com"}\` |
| signature | \`944edad83be510e9f6188f30f9c064ad180df68261c3bddf7a7723d62138f264\` |

When it comes out right and requests are still rejected, ask the [signature debugger](signature-debugger.md).

## Samples of a signed lead

They are the files of [clients/samples](../clients/samples), which the tests run against the service. \`LEADGATE_URL\` is the address
of the service, \`LEADGATE_SLUG\` the slug of the form, \`LEADGATE_SECRET\` its webhook secret.

Each of them ends with 0 only for a \`202\`, and with another code for a rejection, an answer of something else, and when nobody answers within 10
seconds. \`LEADGATE_KEY\` is the idempotency key: set it to the id of your record before you repeat anything. Without it, each run is
a lead of its own.

${samplesOf('signed')}
## Samples with a server token

Without a signature, for backends that can keep a secret: \`LEADGATE_TOKEN\` is a server token.

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
  return `# The signature debugger

A sender only ever learns that its request was rejected. The owner of the form can find out why a signature was refused:

\`\`\`sh
curl "localhost:3000/api/v1/workspaces/$workspace/forms/$form/signature-debug" -H "Authorization: Bearer $key" -d '{
  "timestamp": "1750000000",
  "signature": "944edad8…",
  "body": "{\\"email\\":\\"ada@example.com\\"}"
}'
\`\`\`

It tries the ways in which senders are known to sign wrongly, thousands of them, until one makes the signature that was sent. A
match of 256 bits is no accident: when a mistake is named, it was made. When none is, the sender most likely uses another secret, or the
body was changed on its way.

## What it takes

| Members | The request is |
|---|---|
| \`body\` or \`body_base64\`, \`timestamp\`, \`signature\`, \`content_type\` | given in parts; what was not sent is left out |
| \`raw_request\` | pasted as raw HTTP: request line, headers, an empty line, body |
| \`curl\` | pasted as a curl command, with the values that variables had |
| \`rejection_id\` | one of the diagnostics; \`body\` or \`body_base64\` may add what the sender says it sent |

\`received_at\` sets the time to compare the timestamp with (now, or the time of the rejection). \`try_secret\` is a secret to try beside the
stored ones: what the sender has in its settings, or an ingest token. It is not stored.

## What it answers

| Member | Holds |
|---|---|
| \`valid\`, \`verdict\` | whether the request would pass, and a sentence that says why or why not |
| \`checks\` | what the service checks, in its order: \`passed\`, \`failed\` or \`not_reached\`, each with a sentence |
| \`mistake\`, \`further_mistakes\` | what was done wrong, from the table below |
| \`fix\` | what to do, and the right lines in curl, Node, Python, PHP, Go and Ruby |
| \`string_to_sign\` | what must be signed, invisible characters drawn: \`⟨LF⟩\`, \`⟨CR⟩\`, \`⟨BOM⟩\`, \`⟨NBSP⟩\` |
| \`difference\` | where the body that was signed parts from the one that arrived |
| \`clock\` | the sender's clock beside ours |
| \`signature\` | the signature that was sent, shortened |

It is no way to get signatures: the right one is never answered, nor any part of it. The call needs the role \`owner\`, is limited to 30 a minute for each
form, and leaves a line in the log (\`"event":"signature_debug"\`) that says who looked at which form, and holds nothing of the request.

## What it finds

${tableOfMistakes()}
Two mistakes made together are found as well, and so is a wrong way of writing the signature or the timestamp on top of them. For bodies of many
kilobytes the rarer pairs are left out.

## What is kept of rejected requests

So that a rejection can be debugged by its id, Leadgate keeps the timestamp header, the signature header, the content type and the body of
requests that a form rejected as \`timestamp_…\` or \`signature_…\`. Anybody can send such a request, and it may hold personal data of
people who never dealt with you, so this is kept small:

- at most 5 requests a minute and 20 an hour for each workspace, on each instance;
- bodies up to 16 KB; of larger ones only the length, and the debugger then asks for the body;
- sealed with AES-256-GCM under a key that is not in the database (\`ENCRYPTION_KEY\`), and bound to the rejection;
- deleted after 3 days, and at once with the form, or with the erasure of a lead that has the same body;
- shown to the owner through the debugger only, and never logged.

Nothing is kept of requests that were accepted or rejected for other reasons, that name no form, or that were sent to a slug which another
workspace has shared with yours and left: they may come from its senders.
`;
}

function tableOfMistakes(): string {
  const rows = Object.entries(mistakes);
  const sections = Object.entries(stepTitles).map(([step, title]) => {
    const lines = rows
      .filter(([, row]) => row.step === step)
      .map(([code, row]) => `| \`${code}\` | ${row.title} | ${row.found} | ${row.fix} |`);
    return `### ${title}\n\n| Code | Mistake | How it is found | What to do |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return sections.join('\n');
}
