import type { Logger } from 'pino';
import { type Clock, secondMs } from '../time/clock.ts';

/** Says in the log when the machine's clock leaps, and when the doubt is over. The function returned ends the watch. */
export function watchClock(clock: Clock, log: Logger): () => Promise<void> {
  let known = 0;
  const look = () => {
    const { leapMs = 0 } = clock;
    if (leapMs === known) return;
    known = leapMs;
    const leap_seconds = Math.round(leapMs / secondMs);
    if (leapMs === 0) log.warn('the clock of the machine and that of the service agree again');
    else
      log.error(
        { leap_seconds },
        'the clock of the machine has leapt: is it right? In ten minutes it counts',
      );
  };
  const loop = clock.repeat(look, { pauseMs: secondMs });
  return () => loop.stop();
}
