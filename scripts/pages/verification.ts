import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleLanguages } from '../../clients/fill-sample.ts';

/** The page on verifying deliveries. Its samples are included from their files. */
const receivers = join(import.meta.dirname, '../../clients/receivers');

export function verificationPage(): string {
  return `# Verifying deliveries

A [destination](destinations.md) signs every request as [Standard Webhooks](https://www.standardwebhooks.com) says, so that you know that it comes from Leadgate, that
nobody changed it, and that it is not an old one. Use one of the published libraries, or some lines of your own.

| Header | Value |
|---|---|
| \`webhook-id\` | \`msg_\` and the ID of the event. The same in every attempt, and when the delivery is sent again |
| \`webhook-timestamp\` | Time of the attempt in Unix seconds |
| \`webhook-signature\` | \`v1,\` and the HMAC-SHA256 of \`{id}.{timestamp}.{body}\` in base64. During a rotation two of them, with a space in between |

1. Read the body as bytes. A body that was parsed and serialised again does not match.
2. Refuse timestamps that differ from your clock by more than 5 minutes.
3. Compute the HMAC. The key is the part of the secret after \`whsec_\`, decoded from base64.
4. Compare it with each signature in constant time; one match is enough.
5. Store the \`webhook-id\`, and ignore a request whose ID you already know: [a delivery can arrive twice](destinations.md#at-least-once).

If a signature does not match, respond with \`401\`. Leadgate tries again later, and shows you the status in the [deliveries](deliveries.md).

## An example to verify

This is the vector of the Standard Webhooks libraries. Test your code with it, without the check of the timestamp:

| | |
|---|---|
| secret | \`whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\` |
| \`webhook-id\` | \`msg_p5jXN8AQM9LWM0D4loKWxJek\` |
| \`webhook-timestamp\` | \`1614265330\` |
| body | \`{"test": 2432232314}\` |
| \`webhook-signature\` | \`v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=\` |

## A receiver with the library

Libraries for Node, Python, PHP, Ruby, Go, Java, Rust and C# are listed at [standardwebhooks.com](https://www.standardwebhooks.com). This is a whole receiver in Node; the
tests run it:

${code('receiver.mjs', 'js')}
## Without a library

These are the files in [clients/receivers](../clients/receivers). The tests run those whose language is installed: always openssl, Node and Python. Each takes the
secret and the headers from the environment (\`WEBHOOK_SECRET\`, \`WEBHOOK_ID\`, \`WEBHOOK_TIMESTAMP\`, \`WEBHOOK_SIGNATURE\`) and the body from standard input, prints
\`valid\` or \`invalid\`, and exits with 0 or 1.

${sampleLanguages
  .map(({ title, ending, markdown }) => `### ${titleOf(title)}\n\n${code(`verify.${ending}`, markdown)}`)
  .join('\n')}`;
}

function titleOf(title: string): string {
  return title === 'curl and openssl' ? 'openssl' : title;
}

function code(name: string, language: string): string {
  return `\`\`\`${language}\n${readFileSync(join(receivers, name), 'utf8')}\`\`\`\n`;
}
