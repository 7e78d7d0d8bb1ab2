import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type NetworkMode, networkModes } from './domain/enrichment/vocabulary.ts';

const processRoles = ['all', 'ingest', 'manage', 'enrich'] as const;
type ProcessRole = (typeof processRoles)[number];

/** Where the encryption key is kept in DATA_DIR, and where the one before it during a rotation. */
export const encryptionKeyFile = 'encryption.key';
export const previousEncryptionKeyFile = 'encryption.key.previous';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const keyCharactersMin = 32;
const secretText = z
  .string()
  .min(keyCharactersMin, `must have ${keyCharactersMin} characters or more`)
  .optional();
const port = z.coerce.number('must be a port number').int().min(0).max(65_535);

/** The only reader of the environment. docs/configuration.md lists the same variables. */
const variables = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  // Not checked as a URL: PostgreSQL's own kind may name a socket and no host.
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
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
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: secretText,
  SPOOL_DIR: z.string().min(1).optional(),
  SPOOL_BYTES_MAX: z.coerce
    .number('must be a number of bytes')
    .int()
    .min(0)
    .default(1024 ** 3),
  COMMIT_DEADLINE_MS: z.coerce
    .number('must be a number of milliseconds')
    .int()
    .min(50, 'must be 50 or more')
    .max(10_000, 'must be 10000 or less')
    .default(750),
  ENRICH_NETWORK: z.enum(networkModes, `must be one of ${networkModes.join(', ')}`).default('off'),
  TRUST_PROXY: z.coerce
    .number('must be a number of proxies')
    .int()
    .min(0)
    .max(10, 'must be 10 or less')
    .default(0),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  SMTP_FROM: z.string().min(3, 'must be an email address').optional(),
});

// Judged also when there are other faults: all are told at once.
const environment = variables
  .refine(({ SMTP_URL, SMTP_FROM }) => (SMTP_URL === undefined) === (SMTP_FROM === undefined), {
    path: ['SMTP_URL, SMTP_FROM'],
    message: 'set both, or neither',
    when: () => true,
  })
  .refine(({ PORT, METRICS_PORT }) => PORT === 0 || PORT !== METRICS_PORT, {
    path: ['METRICS_PORT'],
    message: 'must be another port than PORT',
    when: () => true,
  })
  .refine(
    ({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous }) =>
      previous === undefined || (key !== undefined && key !== previous),
    {
      path: ['ENCRYPTION_KEY_PREVIOUS'],
      message: 'needs an ENCRYPTION_KEY that is another one',
      when: () => true,
    },
  );

/** Of the command line alone: where the service is, and what must not be a flag. */
const commandLineVariables = z.object({
  LEADGATE_URL: z.url({ protocol: /^https?$/, error: 'must start with http:// or https://' }).optional(),
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
  /** They only open what was sealed before a rotation. */
  readonly previousEncryptionKeys: readonly string[];
  readonly hasOwnEncryptionKey: boolean;
  readonly headerPrefix: string;
  readonly role: ProcessRole;
  readonly logLevel: string;
  readonly metricsPort: number | null;
  /** Opens /metrics and nothing else. */
  readonly metricsToken: string | null;
  /** Where leads are kept while PostgreSQL is away. */
  readonly spoolDir: string;
  readonly spoolBytesMax: number;
  /** A commit that takes longer goes to the spool. */
  readonly commitDeadlineMs: number;
  readonly enrichNetwork: NetworkMode;
  /** How many proxies stand in front, each of which appends to X-Forwarded-For. */
  readonly proxyCount: number;
  /** Null when nothing is mailed. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
}

/** Its message lists every fault of the environment at once. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>;

/** `keyIn` finds a key that the environment does not hold; the service makes one, others only look. */
export function readConfig(env: Environment = process.env, keyIn: typeof keyFile = keyFile): Config {
  const values = parse(environment, env);
  const dataDir = resolve(values.DATA_DIR);
  const operatorKey = values.OPERATOR_KEY ?? keyIn(dataDir, 'operator.key');
  if (values.METRICS_TOKEN === operatorKey) {
    throw new ConfigError('METRICS_TOKEN: must not be the operator key: what scrapes needs nothing else.');
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
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    spoolDir: resolve(values.SPOOL_DIR ?? join(dataDir, 'spool')),
    spoolBytesMax: values.SPOOL_BYTES_MAX,
    commitDeadlineMs: values.COMMIT_DEADLINE_MS,
    enrichNetwork: values.ENRICH_NETWORK,
    proxyCount: values.TRUST_PROXY,
    smtp: smtpOf(values),
  };
}

/** A folder of its own, and quiet: what happens in the demo is shown on pages, not in a log. */
export function readDemoConfig(): Config {
  const config = readConfig({ DATA_DIR: 'demo-data', LOG_LEVEL: 'error', ...process.env });
  // Its people are made up: nothing is mailed to them, and their links are needed in the answers.
  if (config.databaseUrl === null) return { ...config, smtp: null };
  throw new ConfigError('The demo fills a database of its own: unset DATABASE_URL, or use npm start.');
}

/** The configuration as the service would have it, for those who must not make anything; a missing key is empty. */
export function lookAtConfig(): Config {
  return readConfig(process.env, existingKey);
}

export interface CommandLineConfig {
  /** Where the service is: LEADGATE_URL, or the address it would have on this machine. */
  readonly url: string;
  /** Null when there is none that may be sent to that address. */
  readonly operatorKey: string | null;
  readonly headerPrefix: string;
  readonly token: string | null;
  readonly secret: string | null;
}

export function readCommandLineConfig(env: Environment = process.env): CommandLineConfig {
  const values = parse(commandLine, env);
  const own = `http://${hostInUrl(values.HOST)}:${values.PORT}`;
  // The key of this machine's service is for that service alone, not for whatever LEADGATE_URL names.
  const ownKey =
    values.LEADGATE_URL === undefined ? existingKey(resolve(values.DATA_DIR), 'operator.key') : '';
  return {
    url: (values.LEADGATE_URL ?? own).replace(/\/+$/, ''),
    operatorKey: (values.OPERATOR_KEY ?? ownKey) || null,
    headerPrefix: values.HEADER_PREFIX,
    token: values.LEADGATE_TOKEN ?? null,
    secret: values.LEADGATE_SECRET ?? null,
  };
}

/** What a person can open: a service that listens everywhere is reached by its loopback address. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The process that this one must not outlive, or null when there is none. npm does not pass on every signal, and the shell it
 * runs a command in passes on none; bin/leadgate.js can be killed. All of them wait for their child, so if they are gone before
 * it, somebody wanted it to end.
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
  const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration has faults:\n${faults.join('\n')}`);
}

/** A key from the environment has its predecessor there too, and one in a file in another file. */
function previousKeysOf(
  { ENCRYPTION_KEY: ownKey, ENCRYPTION_KEY_PREVIOUS: previous }: z.output<typeof variables>,
  dataDir: string,
  current: string,
): string[] {
  const found = ownKey === undefined ? existingKey(dataDir, previousEncryptionKeyFile) : (previous ?? '');
  // A rotation that was interrupted right at its start leaves the same key in both files.
  return found === '' || found === current ? [] : [found];
}

function smtpOf({ SMTP_URL: url, SMTP_FROM: from }: z.output<typeof variables>): Config['smtp'] {
  return url === undefined || from === undefined ? null : { url, from };
}

/** A key made once and kept beside the data, readable by the owner of the process only. */
function keyFile(dataDir: string, name: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw unusableFolder(dataDir, error as NodeJS.ErrnoException);
  }
  try {
    const key = `${randomBytes(32).toString('base64url')}\n`;
    writeFileSync(join(dataDir, name), key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw unusableFolder(dataDir, error as NodeJS.ErrnoException);
  }
  return existingKey(dataDir, name);
}

export function unusableFolder(dataDir: string, { code, message }: NodeJS.ErrnoException): ConfigError {
  // Node says "EACCES: permission denied, mkdir '/srv/leads'"; a file in place of the folder is its "file already exists".
  const cause = code === 'EEXIST' ? 'it is a file' : message.replace(/^\w+: /, '');
  return new ConfigError(
    `DATA_DIR: ${dataDir} cannot be used: ${cause}. Name a folder that this user may write.`,
  );
}

/** The key that is there, or an empty text. */
export function existingKey(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  if (!existsSync(path)) return '';
  const key = readKey(path);
  if (key.length < keyCharactersMin) {
    throw new ConfigError(
      `${path} holds fewer than ${keyCharactersMin} characters. Restore it from your backup.`,
    );
  }
  return key;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`The key cannot be read: ${(error as Error).message}`);
  }
}
