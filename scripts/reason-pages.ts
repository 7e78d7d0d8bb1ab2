import { type RejectionReason, rejectionReasons } from '../src/domain/rejection.ts';
import { reasonNotes } from './reason-notes.ts';

/** The pages of the rejection reasons: one for all, and one for each. */
export function reasonPages(): Map<string, string> {
  return new Map([
    ['rejection-reasons.md', allReasons()],
    ...rejectionReasons.map((row, place) => [`reasons/${row.code}.md`, oneReason(row, place)] as const),
  ]);
}

const surfaceNames = { both: 'both', server: 'server token', webhook: 'webhook' } as const;

function allReasons(): string {
  const rows = rejectionReasons.map(
    ({ code, text }) =>
      `| [\`${code}\`](reasons/${code}.md) | ${text} | ${surfaceNames[reasonNotes[code].surfaces]} |`,
  );
  return `# Rejection reasons

A sender only ever sees \`200 {"status":"rejected"}\`. The owner of the workspace sees which of these it was, in the
[diagnostics](settings-area.md). They stand in the order in which they are checked; the first that applies is recorded.

| Reason | Means | Surface |
|---|---|---|
${rows.join('\n')}

The last two count as rate limits, apart from all others.
`;
}

function oneReason({ code, category, text, fix }: (typeof rejectionReasons)[number], place: number): string {
  const { surfaces, causes, see } = reasonNotes[code];
  return `# \`${code}\`

${text}

**What to do:** ${fix}

## What mostly lies behind it

${causes.map((cause) => `- ${cause}`).join('\n')}

## Good to know

| | |
|---|---|
| Surface | ${surfaceNames[surfaces]} |
| Counted as | ${category === 'rate_limit' ? 'rate limit, apart from all other reasons' : 'other'} |
| Checked | ${order(place)} |
| The sender sees | \`200 {"status":"rejected"}\`, as for every reason |
| Sending it again | ${again(code, category)} |

Find single requests under Ingest tokens, Diagnostics, by this reason or by the \`X-Request-Id\` of the answer, or through the API:

\`\`\`sh
curl "$url/api/v1/workspaces/$workspace/diagnostics?reason=${code}" -H "Authorization: Bearer $key"
\`\`\`

Read on: ${see.map(([label, file]) => `[${label}](../${file})`).join(', ')}, [all reasons](../rejection-reasons.md).
`;
}

function order(place: number): string {
  const before = rejectionReasons[place - 1]?.code;
  return before === undefined ? 'first of all' : `after [\`${before}\`](${before}.md)`;
}

function again(code: RejectionReason, category: string): string {
  if (category === 'rate_limit') return 'as it is, when the window has passed';
  if (code === 'timestamp_outside_window') return 'with a new timestamp and signature';
  return 'only after the cause is mended; until then it is rejected again';
}
