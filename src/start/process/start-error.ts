import type { Config } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { DistributionError } from '../../db/citus/distribution-error.ts';
import { refusalText } from '../../db/connection-problem.ts';
import { unusableFolder } from '../../key-files.ts';

/** The service cannot start. The message says what to do. */
export class StartError extends Error {}

/** PostgreSQL does not respond to a first start, which knows no sender yet. */
export class UnreachableError extends StartError {}

/** The first worker exited during the start. Unless it was killed, it has printed what is wrong. */
export class WorkerStartError extends Error {
  readonly exitCode: number;
  readonly isExplained: boolean;

  constructor({ code, signal }: { readonly code: number | null; readonly signal: string | null }) {
    super(`The first worker was stopped by ${signal} while it started.`);
    this.exitCode = code ?? 1;
    this.isExplained = signal === null;
  }
}

type SystemError = NodeJS.ErrnoException & { readonly port?: number; readonly hostname?: string };

const addressCodes = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/** Explains errors that the operator can fix. Any other error is returned unchanged. */
export function explainStartError(error: unknown, config: Config): unknown {
  const { code = '', syscall, path, port, hostname } = error as SystemError;
  if (code === 'EADDRINUSE') {
    const variable = port === config.metricsPort ? 'METRICS_PORT' : 'PORT';
    return new StartError(`Port ${port} is in use. Set ${variable} to another port, or stop what uses it.`);
  }
  if (code === 'EACCES' && syscall === 'listen')
    return new ConfigError(`This user is not allowed to listen on port ${port}. Set PORT to 1024 or above.`);
  if (addressCodes.has(code) && (syscall === 'listen' || hostname === config.host))
    return new ConfigError(
      `HOST: this machine has no address ${config.host}. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
    );
  if (path?.startsWith(config.dataDir)) return unusableFolder(config.dataDir, error as SystemError);
  if (error instanceof DistributionError) return new ConfigError(error.message);
  const refusal = refusalText(error);
  return refusal === null ? error : new ConfigError(refusal);
}
