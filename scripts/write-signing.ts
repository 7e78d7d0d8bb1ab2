import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debuggerPage, signingPage } from './signing-pages.ts';

/** Writes the pages that hold samples and the table of mistakes; a test compares them with their sources. */
const docs = join(import.meta.dirname, '../docs');
writeFileSync(join(docs, 'signing.md'), signingPage());
writeFileSync(join(docs, 'signature-debugger.md'), debuggerPage());
