import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import {
  bytes,
  type CaptchaUrls,
  captchaUrlsDefault,
  deadlineMs,
  deliverNetworks,
  httpUrl,
  logLevels,
  type ProcessRole,
  port,
  processRoles,
  proxyCount,
  secretText,
  switches,
} from './config-values.ts';
import { type CitusRoute, citusRoutes } from './db/citus/route.ts';
import { flawOf } from './db/hosts/clients.ts';
import { type NetworkMode, networkModes } from './domain/enrichment/vocabulary.ts';
import { heldBytesMaxDefault } from './domain/held/held-bounds.ts';
import { encryptionKeyFile, existingKey, keyFile, previousEncryptionKeyFile } from './key-files.ts';
import { AllowList, allowListFlaw } from './net/delivery/allow-list.ts';

// WORKERS has at most 9: more would need more than 70 connections to PostgreSQL (src/db/hosts/connection-budget.ts).
const autoWorkersMax = 8;

/** The only reader of the environment. docs/configuration.md lists the same variables. */
const variables = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .refine((url) => flawOf(url) === null, { error: ({ input }) => flawOf(String(input)) ?? '' })
    .optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must start with http:// or https://' }).optional(),
  OPERATOR_KEY: secretText,
  ENCRYPTION_KEY: secretText,
  ENCRYPTION_KEY_PREVIOUS: secretText,
  HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*-$/, 'must be letters, digits and hyphens, and end with a hyphen')
    .default('X-SVC-'),
  ROLE: z.enum(processRoles, `must be one of ${processRoles.join(', ')}`).default('all'),
  WORKERS: z
    .string()
    .regex(/^(?:auto|[1-9])$/, 'must be auto, or a number from 1 to 9')
    .default('1'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: secretText,
  SPOOL_DIR: z.string().min(1).optional(),
  SPOOL_BYTES_MAX: bytes.default(1024 ** 3),
  HELD: z.enum(switches, `must be one of ${switches.join(', ')}`).default('on'),
  HELD_BYTES_MAX: bytes.default(heldBytesMaxDefault),
  COMMIT_DEADLINE_MS: deadlineMs.default(750),
  CITUS_ROUTE: z.enum(citusRoutes, `must be one of ${citusRoutes.join(', ')}`).default('direct'),
  ENRICH_NETWORK: z.enum(networkModes, `must be one of ${networkModes.join(', ')}`).default('off'),
  HUBSPOT_URL: httpUrl.default('https://api.hubapi.com'),
  DELIVER_NETWORK: z.enum(deliverNetworks, `must be one of ${deliverNetworks.join(', ')}`).default('public'),
  DELIVER_ALLOW: z
    .string()
    .refine((list) => allowListFlaw(list) === null, {
      error: ({ input }) => allowListFlaw(String(input)) ?? '',
    })
    .default(''),
  TRUST_PROXY: proxyCount.default(0),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  SMTP_FROM: z.string().min(3, 'must be an email address').optional(),
  CAPTCHA_TURNSTILE_URL: httpUrl.default(captchaUrlsDefault.turnstile),
  CAPTCHA_HCAPTCHA_URL: httpUrl.default(captchaUrlsDefault.hcaptcha),
});

// `when` makes these checks run even if others failed, so that all errors are reported together.
const environment = variables
  .refine(({ SMTP_URL, SMTP_FROM }) => (SMTP_URL === undefined) === (SMTP_FROM === undefined), {
    path: ['SMTP_URL, SMTP_FROM'],
    message: 'set both, or neither',
    when: () => true,
  })
  .refine(({ PORT, METRICS_PORT }) => PORT === 0 || PORT !== METRICS_PORT, {
    path: ['METRICS_PORT'],
    message: 'must differ from PORT',
    when: () => true,
  })
  .refine(({ ROLE, WORKERS }) => !(Number(WORKERS) > 1) || isSplittable(ROLE), {
    path: ['WORKERS'],
    message: 'must be 1 or auto for this ROLE: only all and ingest accept leads, which several workers share',
    when: () => true,
  })
  .refine(
    ({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous }) =>
      previous === undefined || (key !== undefined && key !== previous),
    {
      path: ['ENCRYPTION_KEY_PREVIOUS'],
      message: 'requires ENCRYPTION_KEY, and must differ from it',
      when: () => true,
    },
  );

/** For the command line only: the URL of the service, and secrets that must not be flags. */
const commandLineVariables = z.object({
  LEADGATE_URL: httpUrl.optional(),
  LEADGATE_KEY: z.string().optional(),
  LEADGATE_TOKEN: z.string().optional(),
  LEADGATE_SECRET: z.string().optional(),
});

const commandLine = variables
  .pick({ PORT: true, HOST: true, DATA_DIR: true, OPERATOR_KEY: true, HEADER_PREFIX: true })
  .extend(commandLineVariables.shape);

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly publicUrl: string | null;
  readonly operatorKey: string;
  /** True when the operator key comes from the environment, false when from a file. */
  readonly hasOwnOperatorKey: boolean;
  readonly encryptionKey: string;
  /** Only used to decrypt what was encrypted before a rotation. */
  readonly previousEncryptionKeys: readonly string[];
  readonly hasOwnEncryptionKey: boolean;
  readonly headerPrefix: string;
  readonly role: ProcessRole;
  /** Processes that share the port; 1 for one process without a supervisor. */
  readonly workers: number;
  readonly logLevel: string;
  readonly metricsPort: number | null;
  /** Opens /metrics and nothing else. */
  readonly metricsToken: string | null;
  /** Where leads are kept while PostgreSQL is unavailable. */
  readonly spoolDir: string;
  readonly spoolBytesMax: number;
  /** Whether rejected requests are kept, and how much those of all workspaces may use. */
  readonly isHeldOn: boolean;
  readonly heldBytesMax: number;
  /** A commit that takes longer goes to the spool. */
  readonly commitDeadlineMs: number;
  /** How leads reach the nodes of a Citus cluster. */
  readonly citusRoute: CitusRoute;
  readonly enrichNetwork: NetworkMode;
  readonly hubspotUrl: string;
  /** Whether leads may be sent to destinations. */
  readonly deliverNetwork: (typeof deliverNetworks)[number];
  /** Where leads may be sent besides the public Internet. */
  readonly deliverAllow: AllowList;
  /** How many proxies are in front of the service. Each appends to X-Forwarded-For. */
  readonly proxyCount: number;
  /** Null when no email is sent. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly captchaUrls: CaptchaUrls;
}

type Environment = Record<string, string | undefined>;

/** `keyIn` supplies a key that is not in the environment: the service creates it, other callers only read it. */
export function readConfig(env: Environment = process.env, keyIn: typeof keyFile = keyFile): Config {
  const values = parse(environment, env);
  const dataDir = resolve(values.DATA_DIR);
  const operatorKey = values.OPERATOR_KEY ?? keyIn(dataDir, 'operator.key');
  if (values.METRICS_TOKEN === operatorKey) {
    throw new ConfigError('METRICS_TOKEN: must differ from the operator key, which can do much more.');
  }
  const encryptionKey = values.ENCRYPTION_KEY ?? keyIn(dataDir, encryptionKeyFile);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    databaseUrl: values.DATABASE_URL ?? null,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    operatorKey,
    hasOwnOperatorKey: values.OPERATOR_KEY !== undefined,
    encryptionKey,
    previousEncryptionKeys: previousKeysOf(values, dataDir, encryptionKey),
    hasOwnEncryptionKey: values.ENCRYPTION_KEY !== undefined,
    headerPrefix: values.HEADER_PREFIX,
    role: values.ROLE,
    workers: workersOf(values),
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    spoolDir: resolve(values.SPOOL_DIR ?? join(dataDir, 'spool')),
    spoolBytesMax: values.SPOOL_BYTES_MAX,
    isHeldOn: values.HELD === 'on',
    heldBytesMax: values.HELD_BYTES_MAX,
    commitDeadlineMs: values.COMMIT_DEADLINE_MS,
    citusRoute: values.CITUS_ROUTE,
    enrichNetwork: values.ENRICH_NETWORK,
    hubspotUrl: values.HUBSPOT_URL,
    deliverNetwork: values.DELIVER_NETWORK,
    deliverAllow: new AllowList(values.DELIVER_ALLOW),
    proxyCount: values.TRUST_PROXY,
    smtp: smtpOf(values),
    captchaUrls: { turnstile: values.CAPTCHA_TURNSTILE_URL, hcaptcha: values.CAPTCHA_HCAPTCHA_URL },
  };
}

/** The demo has its own folder, sends leads to its own receivers and logs errors only: its pages show what happens. */
export function readDemoConfig(receivers: string): Config {
  const { DELIVER_ALLOW, ...env } = process.env;
  const config = readConfig({
    DATA_DIR: 'demo-data',
    LOG_LEVEL: 'error',
    ...env,
    DELIVER_ALLOW: [DELIVER_ALLOW, receivers].filter(Boolean).join(','),
  });
  // The people in the demo are made up: they get no email, and responses contain their links instead.
  if (config.databaseUrl === null) return { ...config, smtp: null };
  throw new ConfigError('The demo creates its own database. Unset DATABASE_URL, or use npm start.');
}

/** The configuration of the service, without creating any files. A missing key is empty. */
export function lookAtConfig(): Config {
  return readConfig(process.env, existingKey);
}

export interface CommandLineConfig {
  /** LEADGATE_URL, or the URL that the service would have on this machine. */
  readonly url: string;
  /** An API key or the operator key. Null when there is none that may be sent to that URL. */
  readonly key: string | null;
  readonly headerPrefix: string;
  readonly token: string | null;
  readonly secret: string | null;
}

export function readCommandLineConfig(env: Environment = process.env): CommandLineConfig {
  const values = parse(commandLine, env);
  const own = `http://${hostInUrl(values.HOST)}:${values.PORT}`;
  // The operator key of this machine is never sent to another service that LEADGATE_URL names.
  const ownKey =
    values.LEADGATE_URL === undefined ? existingKey(resolve(values.DATA_DIR), 'operator.key') : '';
  return {
    url: (values.LEADGATE_URL ?? own).replace(/\/+$/, ''),
    key: (values.LEADGATE_KEY ?? values.OPERATOR_KEY ?? ownKey) || null,
    headerPrefix: values.HEADER_PREFIX,
    token: values.LEADGATE_TOKEN ?? null,
    secret: values.LEADGATE_SECRET ?? null,
  };
}

/** A host that a person can open: for a service that listens on all addresses, the loopback address. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The process that this one must not outlive, or null when there is none. npm does not forward every signal, its shell
 * forwards none, and bin/leadgate.js can be killed. All of them wait for their child, so if they exit first, the service
 * is meant to stop.
 */
export function readParent(env: Environment = process.env): number | 'npm' | null {
  const launcher = Number(env.LEADGATE_LAUNCHER ?? 0);
  if (launcher > 0) return launcher;
  return env.npm_lifecycle_event === undefined ? null : 'npm';
}

function parse<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(filled);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`Invalid configuration:\n${errors.join('\n')}`);
}

/** The previous key comes from the same place as the current one: the environment or a file. */
function previousKeysOf(
  { ENCRYPTION_KEY: ownKey, ENCRYPTION_KEY_PREVIOUS: previous }: z.output<typeof variables>,
  dataDir: string,
  current: string,
): string[] {
  const found = ownKey === undefined ? existingKey(dataDir, previousEncryptionKeyFile) : (previous ?? '');
  // A rotation that was interrupted at its start leaves the same key in both files.
  return found === '' || found === current ? [] : [found];
}

function isSplittable(role: ProcessRole): boolean {
  return role === 'all' || role === 'ingest';
}

/** PostgreSQL and everything else on the machine keep one core. */
function workersOf({ WORKERS: workers, ROLE: role }: z.output<typeof variables>): number {
  if (workers !== 'auto') return Number(workers);
  return isSplittable(role) ? Math.min(Math.max(availableParallelism() - 1, 1), autoWorkersMax) : 1;
}

function smtpOf({ SMTP_URL: url, SMTP_FROM: from }: z.output<typeof variables>): Config['smtp'] {
  return url === undefined || from === undefined ? null : { url, from };
}
