/** Pulls the level of a source with few leads towards 1. */
const steadiness = 5;
const levelMin = 0.1;

/**
 * How busy the last 24 hours before a silence were, compared with the usual: on a holiday fewer leads are expected. A day that
 * was busier than usual does not make an alarm come sooner.
 */
export function levelOf(leads: number, expected: number): number {
  return Math.min(1, Math.max(levelMin, (leads + steadiness) / (expected + steadiness)));
}
