import { dayMs } from '../../time/clock.ts';
import { invalidInput } from './problem.ts';

const rangeDaysMax = 366;

export interface TimeRange {
  readonly from: Date;
  readonly to: Date;
}

/** From `from` until before `to`. `to` defaults to now, inclusive; `from` to `days` before `to`. */
export function timeRange(
  query: { from?: Date | undefined; to?: Date | undefined },
  now: number,
  days = 1,
): TimeRange {
  const to = query.to ?? new Date(now + 1);
  const from = query.from ?? new Date(to.getTime() - days * dayMs);
  if (from >= to) {
    throw invalidInput([
      { field: query.to === undefined ? 'from' : 'to', message: 'from must be earlier than to' },
    ]);
  }
  if (to.getTime() - from.getTime() > rangeDaysMax * dayMs + 1) {
    throw invalidInput([{ field: 'from', message: `must be at most ${rangeDaysMax} days before to` }]);
  }
  return { from, to };
}
