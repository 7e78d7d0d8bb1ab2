import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonPages } from './reason-pages.ts';

/** Writes the pages of rejection reasons from the table; a test compares the two. */
const docs = join(import.meta.dirname, '../docs');
const pages = reasonPages();
mkdirSync(join(docs, 'reasons'), { recursive: true });
for (const name of readdirSync(join(docs, 'reasons'))) {
  if (!pages.has(`reasons/${name}`)) rmSync(join(docs, 'reasons', name));
}
for (const [name, page] of pages) writeFileSync(join(docs, name), page);
