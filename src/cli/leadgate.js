#!/usr/bin/env node
// Runs the command line with the Node that Leadgate brings, whichever one started this: the oldest it may be is Node 20.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const main = join(import.meta.dirname, 'main.ts');

if (Number.parseInt(process.versions.node, 10) >= 24) await import(main);
else runWith(join(import.meta.dirname, '../../node_modules/node/bin/node'));

function runWith(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
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
