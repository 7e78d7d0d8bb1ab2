import { ConfigError } from '../config-error.ts';
import { EmbeddedError, InUseError } from '../db/embedded/error.ts';
import { CliError, type ExitReason } from './exit.ts';
import { safeText } from './terminal/safe-text.ts';

type SystemError = NodeJS.ErrnoException;

/** Words and exit reasons for system errors. */
const systemErrors: Readonly<Record<string, { readonly text: string; readonly reason: ExitReason }>> = {
  ENOENT: { text: 'there is no such file or folder', reason: 'usage' },
  ENOTDIR: { text: 'a part of the path is not a folder', reason: 'usage' },
  EISDIR: { text: 'it is a folder', reason: 'usage' },
  EACCES: { text: 'this user has no access', reason: 'usage' },
  EPERM: { text: 'this user is not allowed to do that', reason: 'usage' },
  ELOOP: { text: 'its links form a loop', reason: 'usage' },
  ENAMETOOLONG: { text: 'the name is too long', reason: 'usage' },
  EROFS: { text: 'the disk is read-only', reason: 'failure' },
  ENOSPC: { text: 'the disk is full', reason: 'failure' },
  EDQUOT: { text: 'the quota of this user is used up', reason: 'failure' },
  EIO: { text: 'the disk or the terminal failed', reason: 'failure' },
  EMFILE: { text: 'this process has too many files open', reason: 'failure' },
  EEXIST: { text: 'it already exists', reason: 'conflict' },
  ENOTEMPTY: { text: 'the folder is not empty', reason: 'conflict' },
  EBUSY: { text: 'it is in use', reason: 'conflict' },
  EADDRINUSE: { text: 'the port is in use', reason: 'conflict' },
  ECONNREFUSED: { text: 'nothing is listening there', reason: 'unreachable' },
  ECONNRESET: { text: 'the connection was closed', reason: 'unreachable' },
  ETIMEDOUT: { text: 'the connection timed out', reason: 'unreachable' },
  ENOTFOUND: { text: 'there is no such host', reason: 'unreachable' },
};

/** Errors that a person can fix get one sentence; others get their stack trace. */
export function sentenceOf(error: Error): string {
  const isExpected =
    error instanceof CliError || error instanceof ConfigError || error instanceof EmbeddedError;
  return safeText(isExpected ? error.message : (systemText(error) ?? error.stack ?? error.message));
}

export function reasonOf(error: Error): ExitReason {
  if (error instanceof CliError) return error.reason;
  if (error instanceof ConfigError) return 'usage';
  if (error instanceof InUseError) return 'conflict';
  return systemErrors[(error as SystemError).code ?? '']?.reason ?? 'failure';
}

function systemText(error: SystemError): string | null {
  if (systemErrors[error.code ?? ''] === undefined) return null;
  const what = error.path ?? (error.syscall === 'write' ? 'The output' : 'Failed');
  return `${what}: ${systemPhrase(error)}.`;
}

/** A system error in words. */
export function systemPhrase(error: unknown): string {
  const { code = '', message } = error as SystemError;
  const known = systemErrors[code];
  return known === undefined ? message : `${known.text} (${code})`;
}
