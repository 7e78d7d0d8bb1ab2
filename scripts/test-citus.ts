import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findCitus, notInstalled } from '../chaos/world/citus/installation.ts';

/** Runs the tests of `vitest.citus.config.ts`, or those named on the command line, where Citus is installed. */
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');

if (findCitus() === null) {
  process.stdout.write(`${notInstalled}\n`);
} else {
  const words = ['run', '--config', 'vitest.citus.config.ts', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, [vitest, ...words], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
