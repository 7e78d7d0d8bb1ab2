import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodesPage } from './error-codes.ts';
import { metricsPage } from './metrics.ts';

/** Writes the pages that list a table or the registry; a test compares them. */
const pages = { 'error-codes': errorCodesPage, metrics: metricsPage };

for (const [name, page] of Object.entries(pages))
  writeFileSync(join(import.meta.dirname, `../../docs/${name}.md`), page());
