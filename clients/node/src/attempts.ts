/** How long to try, and how often. */
export interface RetryOptions {
  /** How long one attempt may take, its answer included; 10 s unless told otherwise. */
  readonly attemptTimeoutMs?: number;
  /** How long all attempts and the pauses between them may take; 60 s unless told otherwise. */
  readonly timeoutMs?: number;
  /** 1 means no retry; unless told otherwise, as many as the time for all attempts allows. */
  readonly attemptsMax?: number;
}

const attemptTimeoutMsDefault = 10_000;
const timeoutMsDefault = 60_000;
const attemptsMaxDefault = Number.POSITIVE_INFINITY;
const firstPauseMs = 200;
const pauseMsMax = 5_000;

/** What proxies say while they have no service to ask, or want fewer requests. The service itself says none of it. */
const unavailableStatuses = new Set([429, 502, 503, 504]);

/** A proxy answered in place of the service. */
export class Unavailable extends Error {
  readonly httpStatus: number;
  /** How long the proxy asks senders to wait. */
  readonly retryAfterMs: number;

  constructor(httpStatus: number, retryAfter: string | null) {
    super(`status ${httpStatus}`);
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMsOf(retryAfter ?? '');
  }

  static isMeantBy(httpStatus: number): boolean {
    return unavailableStatuses.has(httpStatus);
  }
}

/** Seconds, or a date; 0 for anything else. */
function retryAfterMsOf(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.max(0, ms) || 0;
}

/** No attempt was answered. */
export class Unanswered extends Error {
  readonly attempts: number;
  readonly isTimeout: boolean;

  constructor(attempts: number, isTimeout: boolean, cause: unknown) {
    super('no attempt was answered', { cause });
    this.attempts = attempts;
    this.isTimeout = isTimeout;
  }
}

/**
 * Makes attempts until one is answered. Only what prevents an answer is tried again: a connection that fails or closes, an
 * attempt that takes too long, or a proxy without a service. Whatever `attempt` returns is an answer, and final.
 */
export async function untilAnswered<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: RetryOptions,
  signal?: AbortSignal,
): Promise<{ readonly answer: T; readonly attempts: number }> {
  const { attemptTimeoutMs = attemptTimeoutMsDefault, attemptsMax = attemptsMaxDefault } = options;
  const endsAt = Date.now() + (options.timeoutMs ?? timeoutMsDefault);
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const giveUp = () => limit.abort(signal?.reason);
    const timer = setTimeout(giveUp, Math.min(attemptTimeoutMs, endsAt - Date.now()));
    signal?.addEventListener('abort', giveUp);
    try {
      return { answer: await attempt(limit.signal), attempts };
    } catch (error) {
      signal?.throwIfAborted();
      const askedMs = error instanceof Unavailable ? error.retryAfterMs : 0;
      const pauseMs = askedMs + pauseAfter(attempts);
      const isTimeout = limit.signal.aborted;
      if (attempts >= attemptsMax || Date.now() + pauseMs >= endsAt)
        throw new Unanswered(attempts, isTimeout, error);
      await pause(pauseMs, signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

/** Doubles each time; the upper half of it is random, so that senders that failed together do not return together. */
function pauseAfter(attempts: number): number {
  const longest = Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Ends early, with the reason of the signal, when the caller gives up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}
