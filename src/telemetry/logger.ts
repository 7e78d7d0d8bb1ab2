import { type Logger, pino } from 'pino';
import { standardError } from './log-lines.ts';

/** JSON lines on standard error; standard output is for people. Bodies, tokens and signatures are never logged, addresses only with security events. */
export function createLogger(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
  };
  return pino(options, standardError);
}

/** Picks fields one by one: drivers attach connections, queries and parameters to the errors they throw. */
function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: (error as NodeJS.ErrnoException).code, message, stack };
}
