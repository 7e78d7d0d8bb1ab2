#!/usr/bin/env node
// Runs the command line with the Node version that Leadgate needs. Plain JavaScript that Node 20 understands, because an
// older Node runs this file before the right one takes over.
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

// It asks a service to load its code again, and would end a process that does not listen. Under another Node, its launcher
// passes it on once the service listens.
if (process.env.LEADGATE_LAUNCHER === undefined) process.on('SIGUSR2', () => {});

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) await runHere();
else runWithOwnNode();

/** Compiled in the npm package; from source in a clone of the repository. */
function commandLine() {
  const source = join(root, 'src/cli/main.ts');
  return existsSync(source) ? source : join(root, 'dist/src/cli/main.js');
}

async function runHere() {
  // Stripping the types each time would take longer than most commands. Not cached in the folder for temporary files, where
  // others could plant code.
  if (commandLine().endsWith('.ts')) modules.enableCompileCache(join(root, 'node_modules/.cache/leadgate'));
  await import(pathToFileURL(commandLine()).href);
}

function runWithOwnNode() {
  const node = ownNode();
  if (node === null) {
    process.stderr.write(
      `Leadgate needs Node ${nodeMajorMin}, but this is ${process.version}. The bundled Node was not installed, probably because npm\n` +
        'does not run install scripts here. Run "npm rebuild node", or install Node 24.\n',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [self, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The child ends with this process, which cannot pass on a SIGKILL.
    env: { ...process.env, LEADGATE_LAUNCHER: String(process.pid) },
  });
  // Ctrl-C in a terminal reaches both processes; the child tolerates a second signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Until the service listens, it has loaded no code, so there is nothing to load again.
  process.on('SIGUSR2', () => {
    if (catches(child.pid, 'SIGUSR2')) child.kill('SIGUSR2');
  });
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
 * npx runs this in a shell, which dies of a SIGTERM without passing it on, and keeps waiting when npx is killed. The same as
 * src/start/process/parent-watch.ts, for any Node.
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

/** Null if unknown. */
function parentOf(pid) {
  return /^PPid:\s+(\d+)$/m.exec(processFile(pid, 'status'))?.[1] ?? null;
}

/** True if unknown. */
function catches(pid, signal) {
  const caught = /^SigCgt:\s+(\w+)$/m.exec(processFile(pid, 'status'))?.[1];
  return (
    caught === undefined || ((BigInt(`0x${caught}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n
  );
}

function processFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** The Node of the npm package `node`, wherever npm installed it. */
function ownNode() {
  try {
    const folder = dirname(modules.createRequire(import.meta.url).resolve('node/package.json'));
    const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
