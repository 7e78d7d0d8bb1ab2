/** Percent of a limit at which someone is told, the highest first. */
const levels = [100, 95, 80] as const;
export type LimitLevel = (typeof levels)[number];

export function limitLevel(used: number, limit: number): LimitLevel | null {
  return levels.find((level) => used * 100 >= limit * level) ?? null;
}

/** The smallest count that someone is told of. */
export function toldFrom(limit: number): number {
  return Math.ceil((limit * Math.min(...levels)) / 100);
}
