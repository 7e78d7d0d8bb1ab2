export interface Comparison {
  readonly medians: readonly [number, number];
  readonly difference: number;
  /** Welch's t of the means; beyond 3.9 chance is an unlikely explanation. */
  readonly t: number;
  readonly dropped: number;
}

const outlierFactor = 50;

/** Samples far beyond the median are pauses of the machine and say nothing about either kind. */
export function compare([first, second]: readonly [number[], number[]]): Comparison {
  const limit = median([...first, ...second]) * outlierFactor;
  const kept = [first, second].map((all) => all.filter((value) => value <= limit)) as [number[], number[]];
  const medians = [median(kept[0]), median(kept[1])] as const;
  return {
    medians,
    difference: medians[0] - medians[1],
    t: welch(...kept),
    dropped: first.length + second.length - kept[0].length - kept[1].length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function welch(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [moments(first), moments(second)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / first.length + b.variance / second.length);
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}
