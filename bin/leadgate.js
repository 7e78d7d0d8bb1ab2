#!/usr/bin/env node
// Runs the command line with the Node that Leadgate needs. Plain JavaScript that also Node 20 understands: this file is
// what an older Node sees before the right one takes over.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as modules from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const nodeMajorMin = 24;
const parentPollMs = 200;
const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..');

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) await runHere();
else runWithOwnNode();

/** Compiled in the npm package; from source in a copy of the repository. */
function commandLine() {
  const source = join(root, 'src/cli/main.ts');
  return existsSync(source) ? source : join(root, 'dist/src/cli/main.js');
}

async function runHere() {
  // Stripping the types anew would take longer than most commands. Never kept in the folder for temporary files, where
  // others could put code of theirs.
  if (commandLine().endsWith('.ts')) modules.enableCompileCache(join(root, 'node_modules/.cache/leadgate'));
  await import(pathToFileURL(commandLine()).href);
}

function runWithOwnNode() {
  const node = ownNode();
  if (node === null) {
    process.stderr.write(
      `Leadgate needs Node ${nodeMajorMin}, and this is ${process.version}. Its own was not installed, most likely because npm\n` +
        'does not run install scripts here. Run "npm rebuild node", or install Node 24.\n',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [self, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The child ends when this process is gone, which cannot pass on a SIGKILL.
    env: { ...process.env, LEADGATE_LAUNCHER: String(process.pid) },
  });
  // Ctrl-C in a terminal reaches both processes; the child does not mind to hear it twice.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithNpm(child);
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

/**
 * npx runs this in a shell, which dies of a SIGTERM that it passes on to nobody, and goes on waiting when npx is killed. The
 * same as src/start/parent-watch.ts, for any Node.
 */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const npm = /^(?:sh|dash|bash|ash|busybox|zsh|ksh)$/.test(processFile(parent, 'comm').trim())
    ? parentOf(parent)
    : null;
  const watch = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, parentPollMs).unref();
}

/** Null where it cannot be known. */
function parentOf(pid) {
  return /^PPid:\s+(\d+)$/m.exec(processFile(pid, 'status'))?.[1] ?? null;
}

function processFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The Node of the npm package `node`, wherever npm has put it. */
function ownNode() {
  try {
    const folder = dirname(modules.createRequire(import.meta.url).resolve('node/package.json'));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
