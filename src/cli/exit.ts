/** What a script can tell the outcomes apart by; docs/cli.md lists the same table. */
export const exitCodes = {
  ok: { code: 0, text: 'Done.' },
  failure: {
    code: 1,
    text: 'It failed or was cancelled, or something was found: a fault, a rejected lead, a wrong signature.',
  },
  usage: {
    code: 2,
    text: 'The command, its input, a path or the configuration is wrong, or --yes is missing.',
  },
  unreachable: { code: 3, text: 'The service or the database does not answer.' },
  forbidden: { code: 4, text: 'The operator key is missing or wrong.' },
  missing: { code: 5, text: 'There is nothing of that name or id.' },
  conflict: {
    code: 6,
    text: 'Something is in the way: a slug is not available, a port is taken, a file exists, a directory is in use or not empty.',
  },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** Ends a command with a sentence for the person who ran it. */
export class CliError extends Error {
  readonly reason: ExitReason;

  constructor(reason: ExitReason, text: string) {
    super(text);
    this.reason = reason;
  }
}
