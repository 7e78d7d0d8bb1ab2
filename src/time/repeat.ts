import type { Clock, Loop, RepeatOptions, Work } from './clock.ts';

/** Returned by work that need not be repeated. */
export const done = Symbol('done');

/**
 * The one loop for everything that runs in the background:
 *
 *   pausing → working  after the pause
 *   working → pausing  when the work has ended or failed: a failure costs one round
 *   either  → ended    by `stop`, which waits for work in progress, or by work that returns `done`
 */
export function repeat(clock: Clock, work: Work, options: RepeatOptions): Loop {
  const stopping = new AbortController();
  const ended = run(clock, work, options, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

async function run(
  clock: Clock,
  work: Work,
  { pauseMs, pauseFirst = false, onFailure }: RepeatOptions,
  stopping: AbortSignal,
): Promise<void> {
  if (pauseFirst) await pause(clock, pauseMs, stopping);
  for (let isFailing = false; !stopping.aborted; await pause(clock, pauseMs, stopping)) {
    try {
      if ((await work(stopping)) === done) return;
      isFailing = false;
    } catch (error) {
      if (!isFailing && !stopping.aborted) onFailure?.(error);
      isFailing = true;
    }
  }
}

/**
 * Unlike a sleep of the real clock, it does not keep the process alive: a loop is background work.
 */
export function pause(
  clock: Pick<Clock, 'deadline'>,
  ms: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    if (stopping?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancel();
      stopping?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.deadline(ms, end);
    stopping?.addEventListener('abort', end);
  });
}
