import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliPage } from './cli-page.ts';

/** Writes docs/cli.md from the help of the commands; a test compares the two. */
writeFileSync(join(import.meta.dirname, '../docs/cli.md'), cliPage());
