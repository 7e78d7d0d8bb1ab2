/**
 * The value below which a part of all observations lies, estimated from cumulative counts per bucket, as Prometheus does:
 * within a bucket, values are assumed to be spread evenly. Null without observations.
 */
export function quantileOf(
  boundsMs: readonly number[],
  cumulative: readonly number[],
  part: number,
): number | null {
  const total = cumulative.at(-1) ?? 0;
  if (total === 0) return null;
  const rank = part * total;
  const bucket = cumulative.findIndex((count) => count >= rank);
  const upper = boundsMs[bucket];
  // Above the last bound nothing is known but that it is more.
  if (upper === undefined || upper === Number.POSITIVE_INFINITY) return boundsMs.at(-2) ?? null;
  const lower = boundsMs[bucket - 1] ?? 0;
  const before = cumulative[bucket - 1] ?? 0;
  const inside = (cumulative[bucket] ?? 0) - before;
  return lower + ((upper - lower) * (rank - before)) / inside;
}
