/** A percentage with its 95 % confidence interval, all between 0 and 1. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  readonly clusters: number;
  readonly items: number;
}

interface Item {
  readonly cluster: number | string;
  readonly isHit: boolean;
}

/** Of the normal distribution, for 95 %. */
const z = 1.959_964;

/**
 * Texts of one template are hit or missed together, so each cluster counts once, with the percentage of its texts that
 * were hit: a template that was expanded a thousand times says as much as one that was expanded twice. The interval is
 * Wilson's with the clusters as its sample size. That is exact if the texts of a cluster always agree; otherwise the
 * percentages of clusters vary less than yes and no would, and the interval is rather too wide than too narrow.
 */
export function clusteredShare(items: readonly Item[]): Share {
  const clusters = [...Map.groupBy(items, ({ cluster }) => cluster).values()];
  const sum = clusters.reduce(
    (total, own) => total + own.filter(({ isHit }) => isHit).length / own.length,
    0,
  );
  const share = clusters.length === 0 ? 0 : sum / clusters.length;
  return { share, ...wilson(share, clusters.length), clusters: clusters.length, items: items.length };
}

export function wilson(share: number, count: number): { low: number; high: number } {
  if (count === 0) return { low: 0, high: 1 };
  const spread = (z * z) / count;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
