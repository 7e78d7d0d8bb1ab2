import { type ProblemCode, problems } from '../../src/contract/problem.ts';
import { problemNotes } from './problem-notes.ts';

/** docs/error-codes.md: every code of the management API, from the table. */
export function errorCodesPage(): string {
  const codes = Object.keys(problems) as ProblemCode[];
  const statuses = Map.groupBy(codes, (code) => problems[code].status);
  return `# Error codes

Every error of the [management API](api.md) is a problem document (RFC 9457) with a stable \`code\`. Rely on \`code\` and the status; \`title\` and \`detail\` are for
people and may change.

\`\`\`json
{
  "type": "urn:leadgate:problem:invalid_input",
  "title": "${problems.invalid_input.title}",
  "status": 422,
  "code": "invalid_input",
  "detail": "limit: must be at most 200.",
  "errors": [{ "field": "limit", "message": "must be at most 200" }]
}
\`\`\`

The content type is \`application/problem+json\`. Find the call in the service log by the header \`X-Request-Id\`. The two ingest paths return none of these:
see [rejection reasons](rejection-reasons.md).

${[...statuses].map(([status, same]) => section(status, same)).join('\n')}`;
}

function section(status: number, codes: readonly ProblemCode[]): string {
  const rows = codes.map((code) => {
    const [when = problems[code].title, todo = ''] = problemNotes[code] ?? [];
    return `| \`${code}\` | ${when} | ${todo} |`;
  });
  return `## ${status}\n\n| Code | When | What to do |\n|---|---|---|\n${rows.join('\n')}\n`;
}
