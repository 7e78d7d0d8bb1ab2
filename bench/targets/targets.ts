import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { mintToken } from '../../src/domain/token.ts';
import { countService, countTextbook, type Kept } from '../kept.ts';
import { freePort } from '../port.ts';
import { callApi, operatorKey, type SeededWorkspace, seedService, seedTextbook } from '../seed.ts';
import { undoLater } from '../undo.ts';
import { type Child, startScript } from './child.ts';

/** Accepts leads on a port. Each run starts a new one, so that it inherits no rows, jobs or rate windows. */
export interface Target {
  readonly port: number;
  readonly tokens: readonly string[];
  /** Of the service, whose database server is below it; null for the others. */
  readonly pid: number | null;
  /** Stops it, then counts what it stored; null if it stores nothing. */
  finish(): Promise<Kept | null>;
}

export const workspaceCount = 200;
const readyMsMax = 60_000;
const readyPollMs = 50;

export async function startEcho(): Promise<Target> {
  const port = await freePort();
  const child = startScript(here('echo.ts'), { PORT: String(port) });
  await answered(child, port);
  const tokens = Array.from({ length: workspaceCount }, () => mintToken('server'));
  return { port, tokens, pid: null, finish: () => child.stop().then(() => null) };
}

export async function startTextbook(scratchDir: string): Promise<Target> {
  const dataDir = await dataDirectory(scratchDir, 'textbook-');
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path, log: () => {} });
  const stopPostgres = undoLater(() => postgres.stop());
  const tokens = await seedTextbook(postgres.url, workspaceCount);
  const port = await freePort();
  const child = startScript(here('textbook.ts'), { PORT: String(port), DATABASE_URL: postgres.url });
  await answered(child, port);
  const finish = async () => {
    await child.stop();
    const kept = await countTextbook(postgres.url);
    await stopPostgres();
    await dataDir.remove();
    return kept;
  };
  return { port, tokens, pid: null, finish };
}

/** A target whose processor time can be measured. */
interface ServiceTarget extends Target {
  readonly workspaces: readonly SeededWorkspace[];
  readonly pid: number;
}

const ownCheckout = join(import.meta.dirname, '../..');

interface ServiceOptions {
  readonly env?: Record<string, string>;
  /** The folder of the code. */
  readonly checkout?: string;
  /** Each has one form and one token. */
  readonly workspaces?: number;
}

export async function startService(
  scratchDir: string,
  { env = {}, checkout = ownCheckout, workspaces: count = workspaceCount }: ServiceOptions = {},
): Promise<ServiceTarget> {
  const dataDir = await dataDirectory(scratchDir, 'service-');
  const { port, child } = await startMain({ DATA_DIR: dataDir.path, ...env }, checkout);
  const workspaces = await seedService(port, count);
  const tokens = workspaces.map(({ token }) => token);
  const finish = async () => {
    await child.stop();
    // Counted in the files that the service left behind: only these leads were stored, whatever the responses said.
    const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path, log: () => {} });
    const stopPostgres = undoLater(() => postgres.stop());
    const kept = await countService(postgres.url);
    await stopPostgres();
    await dataDir.remove();
    return kept;
  };
  return { port, tokens, workspaces, pid: child.process.pid as number, finish };
}

/** The service on a database that the caller started. */
export async function startServiceOn(
  databaseUrl: string,
  scratchDir: string,
  env: Record<string, string> = {},
): Promise<{ readonly port: number; readonly pid: number; stop(): Promise<void> }> {
  const dataDir = await dataDirectory(scratchDir, 'service-');
  const { port, child } = await startMain({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir.path, ...env });
  return {
    port,
    pid: child.process.pid as number,
    async stop() {
      await child.stop();
      await dataDir.remove();
    },
  };
}

async function startMain(env: Record<string, string>, checkout = ownCheckout) {
  const port = await freePort();
  const child = startScript(join(checkout, 'src/main.ts'), {
    PORT: String(port),
    HOST: '127.0.0.1',
    OPERATOR_KEY: operatorKey,
    LOG_LEVEL: 'warn',
    ...env,
  });
  await answered(child, port);
  return { port, child };
}

/** The same service and load, but with well-formed tokens that were never issued. */
export async function startServiceForStrangers(scratchDir: string): Promise<Target> {
  const service = await startService(scratchDir);
  return { ...service, tokens: service.tokens.map(() => mintToken('server')) };
}

/** All its forms are inactive, so that each request is rejected although its sender is proven. */
export async function startServiceThatRejects(
  scratchDir: string,
  env: Record<string, string>,
): Promise<Target> {
  const service = await startService(scratchDir, { env });
  for (const { workspaceId, formId } of service.workspaces)
    await callApi(service.port, 'PATCH', `/workspaces/${workspaceId}/forms/${formId}`, { active: false });
  return service;
}

function here(file: string): string {
  return join(import.meta.dirname, file);
}

async function dataDirectory(scratchDir: string, prefix: string) {
  const path = await mkdtemp(join(scratchDir, prefix));
  return { path, remove: undoLater(() => rm(path, { recursive: true, force: true })) };
}

/** Waits until /readyz answers with any 2xx. */
async function answered(child: Child, port: number): Promise<void> {
  const deadline = Date.now() + readyMsMax;
  while (Date.now() < deadline) {
    if (child.process.exitCode !== null) throw new Error(`${child.script} exited before it was ready`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(readyPollMs);
  }
  throw new Error(`${child.script} was not ready after ${readyMsMax / 1000} s`);
}
