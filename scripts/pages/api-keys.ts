import type { CallDeclaration } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { scopeTexts } from '../../src/contract/workspaces/scopes.ts';
import { type Scope, scopes } from '../../src/domain/api-key/scope.ts';
import { apiKeyCallsPerMinute } from '../../src/manage/api-keys/authentication.ts';

/** docs/api-keys.md: every scope, and the endpoints it opens, from the contract. */
export function apiKeysPage(): string {
  return `# API keys

Give a program access to one workspace, and only to what it needs. An API key is for the [management API](api.md); to send leads, use an [ingest token](server-token.md) or a [webhook](webhook.md).

## Create a key

1. In the settings area open **API keys** and choose **Create API key**. You need to be an owner.
2. Choose what the program needs: a preset, or single [scopes](#scopes). They cannot be changed later.
3. Copy the key. It is shown only once; Leadgate stores a hash of it.

On the command line: \`leadgate key create Zapier --scope leads:read --scope forms:read\`. With the API: \`POST /workspaces/:w/api-keys\`.

## Use a key

\`\`\`sh values
url=http://localhost:3000
key=lgk_…
\`\`\`

\`\`\`sh run
workspace=$(curl -s "$url/api/v1/workspaces" -H "Authorization: Bearer $key" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
curl -s "$url/api/v1/workspaces/$workspace/leads?limit=2" -H "Authorization: Bearer $key"
\`\`\`

\`\`\`json answer
{"items": [{"submission_id": "0199f3a2-61aa-7d10-8f25-51b2a8c09e44"}], "next_cursor": null}
\`\`\`

- A key works in its workspace only: \`GET /workspaces\` lists that one, and every other is \`404\`.
- A key without the scope that a call needs gets \`403\` with the code \`scope_missing\`, and \`detail\` names the scope. An unknown, revoked or expired key gets \`401\`.
- A key can make ${apiKeyCallsPerMinute} calls a minute. Further calls get \`429\` with the code \`too_many_calls\` and \`Retry-After\` in seconds.
- Send the key in the \`Authorization\` header; it is not accepted anywhere else. Never put it in a browser: anyone who has it can use it.
- The command line uses a key from \`LEADGATE_KEY\` or \`--key-file\`. \`leadgate whoami\`, or \`GET /key\`, says what a key may do and until when.

A key is \`lgk_\`, 32 random characters and a checksum of 6, so that scanners can find leaked keys: \`lgk_[0-9A-Za-z]{38}\`.

## Revoke a key

Revoke a key in the list, or with \`leadgate key revoke\`. It takes effect with the next call, at all instances. A key keeps working when the person who created it leaves the workspace; the list shows who it was and whether they are still a member.
The [audit log](accounts.md#audit-log) names the key for everything that a program changes or exports.

## Scopes

| Scope | Lets a program |
|---|---|
${scopes.map((scope) => `| \`${scope}\` | ${textOf(scope)} |`).join('\n')}

Scopes for functions that this version does not have yet open no endpoint.

## Endpoints

An endpoint that is not listed is closed to every key, whatever its scopes: people, invitations, the audit log, other keys and everything for operators. Several scopes mean that the key needs all of them.

| Endpoint | Scope |
|---|---|
${calls
  .filter(({ access }) => access.scope !== undefined)
  .map(row)
  .join('\n')}

Some responses depend on a further scope:

- \`PUT …/leads/:submission_id/mark\` returns the lead without its fields, reasons and enrichment to a key without \`leads:read\`.
- \`POST …/signature-debug\` with \`rejection_id\` shows the beginning of a body, so it also needs \`leads:read\`.
- The history of a lead contains no audit log entries for a key.
`;
}

/** "reads leads", as the second half of a sentence. */
function textOf(scope: Scope): string {
  const text = scopeTexts[scope].replaceAll(/\b([a-z]+:[a-z]+)\b/g, '`$1`');
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}

function row({ method, path, access: { scope } }: CallDeclaration): string {
  const needed =
    scope === 'any' || scope === undefined
      ? 'any key'
      : [scope]
          .flat()
          .map((name) => `\`${name}\``)
          .join(' and ');
  return `| \`${method.toUpperCase()} ${path}\` | ${needed} |`;
}
