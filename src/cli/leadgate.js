#!/usr/bin/env node
// Runs the command line with the Node that Leadgate brings, whichever one started this: the oldest it may be is Node 20.
import { spawn } from 'node:child_process';
import * as modules from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const installed = join(dirname(self), '../../node_modules');

if (Number.parseInt(process.versions.node, 10) >= 24) {
  // Stripping the types anew would take longer than most commands. Never kept in the folder for temporary files, where
  // others could put code of theirs.
  modules.enableCompileCache(join(installed, '.cache/leadgate'));
  await import('./main.ts');
} else {
  runWith(join(installed, 'node/bin/node'));
}

function runWith(node) {
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; this one stays until the other has ended.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('error', ({ message }) => {
    process.stderr.write(`Leadgate's own Node cannot be started. Run npm ci. (${message})\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
  });
}
