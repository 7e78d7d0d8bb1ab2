import { type Interval, union } from './interval.ts';

interface Switching {
  /** Null for the whole workspace. */
  readonly formId: string | null;
  readonly isOn: boolean;
  readonly at: Date;
}

/**
 * When a form accepted nothing because people had turned it off, or its workspace was suspended. From what they did, oldest
 * first. A form that is turned on without ever having been turned off was on.
 */
export function pausesOf(switchings: readonly Switching[], formId: string): Interval[] {
  return union([null, formId].flatMap((id) => ofOne(switchings.filter((one) => one.formId === id))));
}

function ofOne(switchings: readonly Switching[]): Interval[] {
  const pauses: Interval[] = [];
  let from: number | null = null;
  for (const { isOn, at } of switchings) {
    if (!isOn) from ??= at.getTime();
    else if (from !== null) {
      pauses.push({ from, to: at.getTime() });
      from = null;
    }
  }
  return from === null ? pauses : [...pauses, { from, to: Number.POSITIVE_INFINITY }];
}
