/** In milliseconds since 1970; `to` is not part of it. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Sorted, and without overlaps. */
export function union(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/**
 * The times in which nobody could have accepted a lead, from the times in which someone did. Before the first of these nothing is
 * known: it counts as served, or the sources would be forgotten. A pause up to `toleratedMs` is none.
 */
export function gapsIn(served: readonly Interval[], until: number, toleratedMs: number): Interval[] {
  // A process that has just started has an interval without a length.
  const known = union(served.map(({ from, to }) => ({ from, to: Math.max(to, from + 1) })));
  return known.flatMap(({ to: from }, place) => {
    const to = known[place + 1]?.from ?? until;
    return to - from > toleratedMs ? [{ from, to }] : [];
  });
}
