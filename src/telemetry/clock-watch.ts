import type { Logger } from 'pino';
import { type Clock, secondMs } from '../time/clock.ts';

/** Logs when the machine's clock jumps, and when both clocks agree again. Call the returned function to stop. */
export function watchClock(clock: Clock, log: Logger): () => Promise<void> {
  let known = 0;
  const look = () => {
    const { leapMs = 0 } = clock;
    if (leapMs === known) return;
    known = leapMs;
    const leap_seconds = Math.round(leapMs / secondMs);
    if (leapMs === 0) log.warn('system clock and service clock agree again');
    else
      log.error(
        { leap_seconds },
        'system clock jumped; the service follows it after ten minutes unless it is set back',
      );
  };
  const loop = clock.repeat(look, { pauseMs: secondMs });
  return () => loop.stop();
}
