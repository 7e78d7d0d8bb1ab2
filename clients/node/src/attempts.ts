export interface RetryOptions {
  /** Time limit for one attempt, including its response. Default: 10 s. */
  readonly attemptTimeoutMs?: number;
  /** Time limit for all attempts and the pauses between them. Default: 60 s. */
  readonly timeoutMs?: number;
  /** 1 means no retry. Default: as many attempts as `timeoutMs` allows. */
  readonly attemptsMax?: number;
}

const attemptTimeoutMsDefault = 10_000;
const timeoutMsDefault = 60_000;
const attemptsMaxDefault = Number.POSITIVE_INFINITY;
const firstPauseMs = 200;
const pauseMsMax = 5_000;

/** Statuses of proxies that cannot reach the service or limit the rate. The service itself never sends them. */
const unavailableStatuses = new Set([429, 502, 503, 504]);

/** A proxy responded instead of the service. */
export class Unavailable extends Error {
  readonly httpStatus: number;
  /** From the Retry-After header of the proxy. */
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

/** Parses seconds or a date; 0 for anything else. */
function retryAfterMsOf(text: string): number {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Math.max(0, ms) || 0;
}

/** No attempt got a response. */
export class Unanswered extends Error {
  readonly attempts: number;
  readonly isTimeout: boolean;

  constructor(attempts: number, isTimeout: boolean, cause: unknown) {
    super('no attempt got a response', { cause });
    this.attempts = attempts;
    this.isTimeout = isTimeout;
  }
}

/**
 * Repeats `attempt` until it gets a response. Retries only if there is none: the connection fails or closes, the attempt times
 * out, or a proxy cannot reach the service. Any value that `attempt` returns is final.
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

/** Doubles each time, with jitter, so that senders that failed at the same time do not retry at the same time. */
function pauseAfter(attempts: number): number {
  const longest = Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Rejects early, with the reason of the signal, when the caller aborts. */
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
