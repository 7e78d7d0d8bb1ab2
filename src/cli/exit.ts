/** Exit codes for scripts; docs/cli.md has the same table. */
export const exitCodes = {
  ok: { code: 0, text: 'Done.' },
  failure: {
    code: 1,
    text: 'The command failed or was cancelled, or it found an error, a rejected lead or a wrong signature.',
  },
  usage: {
    code: 2,
    text: 'The command, its input, a path or the configuration is wrong, or --yes is missing.',
  },
  unreachable: { code: 3, text: 'The service or the database does not respond.' },
  forbidden: { code: 4, text: 'The key is missing or wrong, or an API key lacks a scope.' },
  missing: { code: 5, text: 'Nothing has that name or ID.' },
  conflict: {
    code: 6,
    text: 'There is a conflict: a slug is not available, a port is in use, a file exists, a directory is in use or not empty.',
  },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** Ends a command with a message for the person who ran it. */
export class CliError extends Error {
  readonly reason: ExitReason;

  constructor(reason: ExitReason, text: string) {
    super(text);
    this.reason = reason;
  }
}
