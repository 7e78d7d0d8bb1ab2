import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmsPage } from './alarms.ts';
import { apiKeysPage } from './api-keys.ts';
import { cliPage } from './cli.ts';
import { enrichmentPage } from './enrichment.ts';
import { errorCodesPage } from './error-codes.ts';
import { metricsPage } from './metrics.ts';
import { rejectionReasonsPage } from './rejection-reasons.ts';
import { scoringPage } from './scoring.ts';
import { debuggerPage, signingPage } from './signing.ts';
import { verificationPage } from './verification.ts';

/** The files of docs that mirror code. `npm run docs` writes them; a test compares them. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'alarms.md': alarmsPage,
  'api-keys.md': apiKeysPage,
  'cli.md': cliPage,
  'enrichment.md': enrichmentPage,
  'error-codes.md': errorCodesPage,
  'metrics.md': metricsPage,
  'rejection-reasons.md': rejectionReasonsPage,
  'scoring.md': scoringPage,
  'signature-debugger.md': debuggerPage,
  'signing.md': signingPage,
  'webhook-verification.md': verificationPage,
};

if (import.meta.main) {
  for (const [name, page] of Object.entries(generatedPages))
    writeFileSync(join(import.meta.dirname, '../../docs', name), page());
}
