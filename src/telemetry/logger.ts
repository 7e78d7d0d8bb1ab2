import { destination, type Logger, pino } from 'pino';

/** JSON lines on standard error; standard output is for people. No body, token, signature or address is ever logged. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination(2));
}
