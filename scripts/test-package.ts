import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/**
 * Packs the package, installs it into an empty folder and uses it as somebody would who has nothing else: with the Node of the
 * machine, not with ours. Takes some minutes and the npm registry, so it is no part of "npm test".
 */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'leadgate-package-'));
const readyMsMax = 120_000;
const stopMsMax = 30_000;

/** Without our own node_modules/.bin, where npm scripts find Node 24, and without npm's settings for this project. */
const env = {
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules') && path !== dirname(process.execPath))
    .join(delimiter),
  HOME: process.env.HOME ?? folder,
  PORT: '0',
};

try {
  step(`pack, with everything built, into ${folder}`);
  run(root, 'npm', 'pack', '--pack-destination', folder);
  const [tarball = ''] = readdirSync(folder);
  step(`install ${tarball} into an empty project, on Node ${run(folder, 'node', '--version').trim()}`);
  run(folder, 'npm', 'init', '-y');
  run(folder, 'npm', 'install', `./${tarball}`);
  await startAndCheck();
  step('all went well');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function startAndCheck(): Promise<void> {
  const child = spawn(join(folder, 'node_modules/.bin/leadgate'), ['start'], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    step('start');
    await until(
      () => output.includes('Press Ctrl-C'),
      readyMsMax,
      () => output,
    );
    const url = /is ready at (\S+)/.exec(output)?.[1] ?? '';
    expect('no secret goes into a log', !/ingt_srv_|whsec_|#token=/.test(output), output);
    await checkService(url, readFileSync(join(folder, 'data/first-start.txt'), 'utf8'));
  } finally {
    step('stop');
    // Never with SIGKILL: that would end the launcher only, and leave the service and its database.
    child.kill('SIGTERM');
  }
  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMsMax, 'late'))]);
  expect('it ends with code 0', code === 0, `${code}\n${output}`);
}

async function checkService(url: string, firstStart: string): Promise<void> {
  const curls = firstStart.slice(firstStart.indexOf('Send your first lead')).split('Or sign it');
  for (const [place, text] of curls.entries()) {
    const script = text.slice(text.search(/^(?:curl|body=)/m));
    const answer = run(folder, 'sh', '-c', script.replaceAll('curl ', 'curl -s '));
    expect(
      `command ${place + 1} of first-start.txt stores a lead`,
      'submission_id' in JSON.parse(answer),
      answer,
    );
  }
  for (const [path, words] of [
    ['/', '<div id="app">'],
    ['/docs', 'Leadgate documentation'],
    ['/docs/reasons/token_missing', 'token_missing'],
    ['/api/reference', 'Leadgate API reference'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await fetch(url + path);
    const text = await answer.text();
    expect(`${path} is served`, answer.status === 200 && text.includes(words), text.slice(0, 300));
  }
  // Passwords are hashed by a thread whose file has another name in the package.
  const token = /setup#token=(\S+)/.exec(firstStart)?.[1];
  const body = {
    token,
    name: 'Ada',
    email: 'ada@example.com',
    password: 'seven wet umbrellas',
    workspace_name: 'Engines',
  };
  const headers = { Origin: url, 'Content-Type': 'application/json' };
  const made = await fetch(`${url}/api/v1/setup`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect('its link makes an account', made.status < 300, `${made.status} ${await made.text()}`);
}

function run(cwd: string, program: string, ...words: string[]): string {
  const ownEnv = cwd === root ? process.env : env;
  return execFileSync(program, words, {
    cwd,
    env: ownEnv,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function until(isSo: () => boolean, msMax: number, explain: () => string): Promise<void> {
  const deadline = Date.now() + msMax;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`It did not get ready:\n${explain()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function step(words: string): void {
  process.stdout.write(`${words}\n`);
}

function expect(what: string, isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(`Not so: ${what}. ${otherwise}`);
  step(`  ${what}`);
}
