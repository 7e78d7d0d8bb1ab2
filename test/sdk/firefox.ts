import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { scratchFolder } from '../support/scratch.ts';

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
export const isFirefoxInstalled = program !== undefined;

/** One tab of an installed Firefox, driven by WebDriver BiDi: Playwright can drive only its own build of Firefox. */
export interface Firefox {
  /** Opens a page and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** The result of a script in the page, as JSON carries it. Promises are awaited. */
  run(script: string): Promise<unknown>;
  /** Runs a script at the start of every page from now on, also where its policy allows no script. */
  beforeEach(script: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startFirefox(): Promise<Firefox> {
  const profile = scratchFolder();
  const child = spawn(
    program as string,
    ['--headless', '--remote-debugging-port', '0', '--profile', profile],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile },
    },
  );
  const call = await connect(`${await addressOf(child)}/session`);
  await call('session.new', { capabilities: {} });
  const { context } = await call('browsingContext.create', { type: 'tab' });
  return {
    async open(url) {
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async run(script) {
      // Objects would come as a list of typed values.
      const expression = `(async () => JSON.stringify(await (${script})) ?? 'null')()`;
      const answer = await call('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
      });
      if (answer.type !== 'success') throw new Error(answer.exceptionDetails?.text);
      return JSON.parse(answer.result?.value ?? 'null');
    },
    async beforeEach(script) {
      await call('script.addPreloadScript', { functionDeclaration: `() => { ${script} }` });
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** It prints its address when it is ready. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output += chunk;
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Firefox exited: ${output}`)));
    child.once('error', reject);
  });
}

interface BidiResult {
  readonly context?: string;
  readonly type?: string;
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

type Call = (method: string, params: object) => Promise<BidiResult>;

/** Commands and their results, matched by number. */
async function connect(url: string): Promise<Call> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`Firefox does not accept ${url}`)));
  });
  const waiting = new Map<number, { resolve(result: BidiResult): void; reject(error: Error): void }>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message } = JSON.parse(String(data));
    const caller = waiting.get(id);
    waiting.delete(id);
    if (type === 'success') caller?.resolve(result);
    else caller?.reject(new Error(message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection.'));
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}
