import { rejectionReasons, severities, severityTexts } from '../../src/domain/rejection.ts';
import { reasonNotes } from './reason-notes.ts';

const surfaceNames = {
  all: 'token, webhook and browser',
  server: 'token',
  webhook: 'webhook',
  browser: 'browser',
  'server and browser': 'token and browser',
} as const;

/** docs/rejection-reasons.md, from the table. Each section has the anchor of its reason. */
export function rejectionReasonsPage(): string {
  const groups = [...Map.groupBy(rejectionReasons, ({ code }) => reasonNotes[code].group)];
  const contents = groups.map(([group, reasons]) => {
    const links = reasons.map(({ code, anchor }) => `[\`${code}\`](#${anchor})`);
    return `| [${group}](#${group.toLowerCase().replaceAll(' ', '-')}) | ${links.join(' ')} |`;
  });
  const sections = groups.map(([group, reasons]) => `## ${group}\n\n${reasons.map(section).join('\n')}`);
  const meanings = severities.map((severity) => `\`${severity}\`: ${severityTexts[severity]}`);
  return `# Rejection reasons

A sender only ever sees \`200 {"status":"rejected"}\`, whatever the reason. The owners of the workspace see the reason in the
[diagnostics](concepts.md#diagnostics).

| Group | Reasons |
|---|---|
${contents.join('\n')}

- The reasons are listed in the order in which Leadgate checks them. Only the first one that applies is recorded.
- Unless a section says otherwise, fix the cause before you retry: the same request is rejected again.
- The severity says what happened to the data (${meanings.join('; ')}).
- The diagnostics count rate limits separately from all other reasons.
- Many rejected requests are kept for some days, and owners can admit them: see [Held submissions](held.md).

To find a request, open **Ingest tokens → Diagnostics** and filter by reason or by the \`X-Request-Id\` of the response, or use the API:

\`\`\`sh
curl "$url/api/v1/workspaces/$workspace/diagnostics?reason=form_inactive" -H "Authorization: Bearer $key"
\`\`\`

${sections.join('\n')}`;
}

function section({ code, severity, anchor, text, fix }: (typeof rejectionReasons)[number]): string {
  const { surfaces, causes, retry, see } = reasonNotes[code];
  return `### <a id="${anchor}"></a>\`${code}\`

${text}

**What to do:** ${fix}

**Common causes:**

${causes.map((cause) => `- ${cause}`).join('\n')}
${retry === undefined ? '' : `\n**Retry:** ${retry}.\n`}
**Severity:** \`${severity}\`. **Surface:** ${surfaceNames[surfaces]}. **See also:** ${see.join(', ')}.
`;
}
