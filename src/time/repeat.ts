import type { Clock, Loop, RepeatOptions, Work } from './clock.ts';

/** What work returns that need not be done again. */
export const done = Symbol('done');

/**
 * The one loop of everything that runs beside the requests:
 *
 *   pausing → working  after the pause
 *   working → pausing  when the work has ended, whether or not it failed: a failure costs one round
 *   either  → ended    by `stop`, which waits for the work under way, or by work that is done
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
 * Unlike a sleep of the real clock it does not keep the process from ending: a loop is beside the work of the process, and
 * never all of it.
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
