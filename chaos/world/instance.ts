import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorKey } from '../../bench/seed.ts';
import { type Child, startScript } from '../../bench/targets/child.ts';
import { undoLater } from '../../bench/undo.ts';

const pollMs = 25;
const answerMsMax = 2_000;
const restartPauseMs = 100;

export interface InstanceOptions {
  readonly name: string;
  readonly port: number;
  /** Folder with the `src` to run: ours, or that of a broken build. */
  readonly sourceDir: string;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One process of the service, restarted when it exits by itself, as by a service manager. */
export class Instance {
  readonly #options: InstanceOptions;
  #child: Child | null = null;
  #forgetUndo: () => Promise<void> = async () => {};
  #hasLived = false;
  /** Times it was killed on purpose. */
  kills = 0;
  /** The longest time it was frozen: it saw requests from that time only afterwards. */
  blindMs = 0;
  #frozenAt = 0;
  /** How often it crashed after it had answered once. Failed starts do not count. */
  crashes = 0;

  constructor(options: InstanceOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true });
  }

  get port(): number {
    return this.#options.port;
  }

  get pid(): number | undefined {
    return this.#child?.process.pid;
  }

  get logPath(): string {
    return join(this.#options.dir, 'service.log');
  }

  get isWanted(): boolean {
    return this.#child !== null;
  }

  start(): void {
    const { port, dir, env, sourceDir, name } = this.#options;
    const log = openSync(this.logPath, 'a');
    const child = startScript(
      join(sourceDir, 'src/main.ts'),
      {
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dir,
        LOG_LEVEL: 'warn',
        OPERATOR_KEY: operatorKey,
        ENCRYPTION_KEY: `encryption key of ${operatorKey}`,
        ...env,
      },
      log,
    );
    closeSync(log);
    this.#child = child;
    this.#hasLived = false;
    // Undone before the child itself, whose exit would otherwise look like a crash.
    this.#forgetUndo = undoLater(async () => {
      if (this.#child === child) await this.#end('SIGTERM');
    });
    child.process.once('exit', () => void this.#onExit(child, name));
  }

  /** kill -9. The next start uses the files it left. */
  async kill(): Promise<void> {
    this.kills++;
    await this.#end('SIGKILL');
  }

  /** Sends SIGTERM. Returns how many milliseconds it took to exit. */
  async terminate(): Promise<number> {
    const startedAt = performance.now();
    await this.#end('SIGTERM');
    return performance.now() - startedAt;
  }

  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.process.kill(signal);
    if (signal === 'SIGSTOP') this.#frozenAt = Date.now();
    else this.blindMs = Math.max(this.blindMs, Date.now() - this.#frozenAt);
  }

  /** Waits until it answers, even without PostgreSQL. False when the time is up. */
  untilAlive(msMax: number): Promise<boolean> {
    return this.#until('/livez', msMax);
  }

  untilReady(msMax: number): Promise<boolean> {
    return this.#until('/readyz', msMax);
  }

  /** All its metrics by name, without labels; null while it does not answer. */
  async metrics(): Promise<Map<string, number> | null> {
    const text = await this.#get('/metrics')
      .then((response) => (response.ok ? response.text() : null))
      .catch(() => null);
    if (text === null) return null;
    const lines = text.split('\n').filter((line) => /^\w+ /.test(line));
    return new Map(lines.map((line) => line.split(' ') as [string, string]).map(([k, v]) => [k, Number(v)]));
  }

  async #until(path: string, msMax: number): Promise<boolean> {
    for (const deadline = Date.now() + msMax; Date.now() < deadline; await sleep(pollMs)) {
      const response = await this.#get(path).catch(() => null);
      await response?.body?.cancel();
      if (response !== null) this.#hasLived = true;
      if (response?.ok) return true;
    }
    return false;
  }

  #get(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      headers: { authorization: `Bearer ${operatorKey}`, connection: 'close' },
      signal: AbortSignal.timeout(answerMsMax),
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    if (child.process.exitCode === null && child.process.signalCode === null) {
      const exited = once(child.process, 'exit');
      child.process.kill(signal);
      await exited;
    }
    // It was supposed to exit.
    await child.stop().catch(() => {});
    // Not awaited: the cleanup itself may have stopped the child.
    void this.#forgetUndo();
  }

  async #onExit(child: Child, name: string): Promise<void> {
    if (this.#child !== child) return;
    if (this.#hasLived) {
      this.crashes++;
      const { exitCode, signalCode } = child.process;
      process.stderr.write(
        `\nInstance ${name} ended by itself with ${exitCode ?? signalCode}; see ${this.logPath}\n`,
      );
    }
    await child.stop().catch(() => {});
    await sleep(restartPauseMs);
    if (this.#child !== child) return;
    this.#child = null;
    void this.#forgetUndo();
    this.start();
  }
}
