/** For how long repeats are remembered. */
const windowHours = 6;
export const windowSeconds = windowHours * 3_600;

/** Times are kept as 32-bit seconds; `secondsBetween` is right even when they wrap around. */
export function secondsOf(timeMs: number): number {
  return Math.floor(timeMs / 1_000) | 0;
}

export function secondsBetween(earlier: number, later: number): number {
  return (later - earlier) | 0;
}
