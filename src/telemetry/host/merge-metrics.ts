import { isCounting, type Metric, type Rule, type Series } from './metric.ts';

const apply: Readonly<Record<Rule, (one: number, other: number) => number>> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
};

/** The metrics of several workers as those of one: each metric by its own rule, series by series. */
export function mergeMetrics(lists: readonly (readonly Metric[])[]): Metric[] {
  return mergeBy(lists, ({ aggregator }) => aggregator);
}

/**
 * `now`, with no count below what it was in `before`. Prometheus takes a count that goes down for a restart and adds all of
 * it again. The sum of the same fractions in another order can differ in its last digit, which is enough.
 */
export function withoutDecrease(before: readonly Metric[], now: readonly Metric[]): Metric[] {
  return mergeBy([now, countsOf(before)], () => 'max');
}

/** What stays when a worker is gone. Its queue and its memory do not. */
export function countsOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(isCounting);
}

function mergeBy(lists: readonly (readonly Metric[])[], ruleOf: (metric: Metric) => Rule): Metric[] {
  const merged = new Map<string, { readonly metric: Metric; readonly series: Map<string, Series> }>();
  for (const metric of lists.flat()) {
    const known = merged.get(metric.name) ?? { metric, series: new Map() };
    merged.set(metric.name, known);
    // Workers of two versions can run side by side. A metric that changed its type is that of the first.
    if (known.metric.type === metric.type)
      addSeries(known.series, metric.values, apply[ruleOf(known.metric)]);
  }
  return [...merged.values()].map(({ metric, series }) => ({ ...metric, values: [...series.values()] }));
}

function addSeries(
  known: Map<string, Series>,
  values: readonly Series[],
  combine: (one: number, other: number) => number,
): void {
  for (const one of values) {
    const key = keyOf(one);
    const other = known.get(key);
    known.set(key, other === undefined ? one : { ...one, value: combine(other.value, one.value) });
  }
}

/** The same for the same labels in another order. */
function keyOf({ metricName = '', labels }: Series): string {
  return JSON.stringify([
    metricName,
    ...Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
}
