import { destination, type Logger, pino } from 'pino';

/** JSON lines on standard error; standard output is for people. No body, token or signature is ever logged; addresses only with security events. */
export function createLogger(level: string): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
  };
  return pino(options, destination(2));
}

/** Chosen field by field: drivers hang their connections, queries and parameters onto the errors they throw. */
function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: (error as NodeJS.ErrnoException).code, message, stack };
}
