import { rmSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { PasswordCost } from '../../src/manage/accounts/passwords/password-hash.ts';
import type { Egress } from '../../src/net/egress.ts';
import type { ReaderLimits } from '../../src/start/control-plane.ts';
import type { Host } from '../../src/start/host.ts';
import { startService } from '../../src/start/service.ts';
import type { Clock } from '../../src/time/clock.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { createTestDatabase } from './database/database.ts';
import { checkResponse } from './published.ts';
import { scratchFolder } from './scratch.ts';

export interface TestServiceOptions {
  readonly clock?: Clock;
  /** Joins the database of another service, as a second instance. */
  readonly databaseUrl?: string;
  readonly env?: Record<string, string>;
  /** The folder of the built settings area, for tests that open it. */
  readonly webApp?: string;
  /** The folder of the built documentation, for tests that open it. */
  readonly docsSite?: string;
  /** The folder of the built SDK, for tests whose pages load it. */
  readonly sdk?: string;
  /** Replaces the Internet for enrichment. */
  readonly egress?: Egress;
  readonly readerLimits?: Partial<ReaderLimits>;
  /** The worker of the heavy thread, for tests in which it dies. */
  readonly heavyWorker?: URL;
  /** Hashing is nearly free unless a test needs the real cost. */
  readonly passwordCost?: 'real';
  /** For tests of log messages. */
  readonly log?: Logger;
  /** Makes it one of several processes. */
  readonly host?: Host;
}

export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
  readonly json: any;
  readonly text: string;
  readonly headers: Headers;
}

export interface TestService {
  readonly url: string;
  readonly operatorKey: string;
  readonly clock: Clock;
  readonly databaseUrl: string;
  stop(): Promise<void>;
  /** Calls the management API as the operator; `path` comes after /api/v1. */
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** The cheapest argon2id. The real cost, at the lowest priority, is seconds on a machine that is busy with tests. */
export const cheapPasswords: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };
export const operatorKey = 'operator-key-of-the-tests-0123456789';
// So that commits on a slow machine do not miss the deadline in tests that are not about it.
export const patientCommits = { COMMIT_DEADLINE_MS: '10000' };
export const encryptionKey = 'encryption-key-of-the-tests-0123456789';

/** Starts the whole service in this process, on its own port and, unless told otherwise, with its own database. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const clock = options.clock ?? systemClock;
  const database = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const databaseUrl = options.databaseUrl ?? (database?.url as string);
  const dataDir = scratchFolder();
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    OPERATOR_KEY: operatorKey,
    ENCRYPTION_KEY: encryptionKey,
    ...patientCommits,
    ...options.env,
  });
  const log = options.log ?? pino({ level: config.logLevel === 'info' ? 'silent' : config.logLevel });
  const service = await startService({
    config,
    databaseUrl,
    clock,
    log,
    webApp: Promise.resolve(options.webApp ?? null),
    docsSite: Promise.resolve(options.docsSite ?? null),
    sdk: Promise.resolve(options.sdk ?? null),
    ...(options.egress === undefined ? {} : { egress: options.egress }),
    ...(options.readerLimits === undefined ? {} : { readerLimits: options.readerLimits }),
    ...(options.passwordCost === 'real' ? {} : { passwordCost: cheapPasswords }),
    ...(options.heavyWorker === undefined ? {} : { heavyWorker: options.heavyWorker }),
    ...(options.host === undefined ? {} : { host: options.host }),
  });
  return {
    url: service.url,
    operatorKey,
    clock,
    databaseUrl,
    api: (method, path, body) => callApi(service.url, method, path, body),
    async stop() {
      await service.stop();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** All items of a list, over all pages: a search that runs out of time returns fewer items, or none, and a cursor. */
// biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
export async function allItems({ api }: Pick<TestService, 'api'>, path: string): Promise<any[]> {
  const items = [];
  for (let cursor = ''; ; ) {
    const { status, json, text } = await api('GET', path + cursor);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    items.push(...json.items);
    if (json.next_cursor === null) return items;
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(json.next_cursor)}`;
  }
}

export async function callApi(url: string, method: string, path: string, body: unknown): Promise<ApiAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = parsed(text);
  checkResponse(method, path, response.status, json);
  return { status: response.status, json, text, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
