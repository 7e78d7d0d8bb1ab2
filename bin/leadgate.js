#!/usr/bin/env node
// Starts Leadgate with the Node it needs. Plain JavaScript that also Node 20 understands: this file is what an older Node
// sees before the right one takes over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeMajorMin = 24;
// The same as in "npm start"; docs/performance.md says what they are for.
const flags = ['--max-semi-space-size=64', '--no-allocation-site-pretenuring'];
const main = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));

const node = suitableNode();
if (node === null) {
  process.stderr.write(
    `Leadgate needs Node ${nodeMajorMin}, and this is ${process.version}. Its own was not installed, most likely because npm\n` +
      'does not run install scripts here. Run "npm rebuild node", or install Node 24.\n',
  );
  process.exitCode = 1;
} else if (!existsSync(main)) {
  process.stderr.write('This copy is not built. Run "npm run build", or "npm start" to run the sources.\n');
  process.exitCode = 1;
} else {
  start(node, withoutStart(process.argv.slice(2)));
}

/** This very Node if it is new enough, otherwise the one that came with the package. */
function suitableNode() {
  if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) return process.execPath;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

/** "leadgate" and "leadgate start" are the same. */
function withoutStart(words) {
  return words[0] === 'start' ? words.slice(1) : words;
}

function start(binary, words) {
  const child = spawn(binary, [...flags, main, ...words], { stdio: 'inherit' });
  // Ctrl-C in a terminal reaches both processes; a signal that was sent to this one alone has to be passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
