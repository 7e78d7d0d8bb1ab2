export interface Comparison {
  readonly medians: readonly [number, number];
  readonly difference: number;
  /** Of the Mann–Whitney rank test. Beyond 3.9, chance is an unlikely explanation. */
  readonly z: number;
}

/** Uses medians and ranks, which rare long pauses of the machine do not affect. */
export function compare([first, second]: readonly [number[], number[]]): Comparison {
  const medians = [median(first), median(second)] as const;
  return { medians, difference: medians[0] - medians[1], z: rankTest(first, second) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** How far the ranks of the first are from chance, in standard deviations. Equal values share a rank. */
export function rankTest(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  const count = all.length;
  let rankSum = 0;
  let tied = 0;
  for (let start = 0, end = 0; start < count; start = end) {
    while (end < count && all[end]?.value === all[start]?.value) end++;
    const equal = end - start;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    tied += equal ** 3 - equal;
  }
  const pairs = first.length * second.length;
  const wins = rankSum - (first.length * (first.length + 1)) / 2;
  const variance = (pairs / 12) * (count + 1 - tied / (count * (count - 1)));
  return variance === 0 ? 0 : (wins - pairs / 2) / Math.sqrt(variance);
}
