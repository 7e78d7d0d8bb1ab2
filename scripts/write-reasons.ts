import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rejectionReasons } from '../src/domain/rejection.ts';

/** Writes docs/rejection-reasons.md from the table; a test compares the two. */
const sections = rejectionReasons.map(
  ({ code, category, text, fix }) =>
    `## ${code}\n\n${text}\n\n**What to do:** ${fix}${category === 'rate_limit' ? '\n\nCounted as a rate limit, apart from all other reasons.' : ''}\n`,
);
const page = `# Rejection reasons

A sender only ever sees \`200 {"status":"rejected"}\`. The owner of the workspace sees which of these it was, in the
diagnostics. They stand in the order in which they are checked; the first that applies is recorded.

${sections.join('\n')}`;

writeFileSync(join(import.meta.dirname, '../docs/rejection-reasons.md'), page);
