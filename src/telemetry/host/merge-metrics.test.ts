import { expect, test } from 'vitest';
import { figuresOf } from './host-figures.ts';
import { countsOf, mergeMetrics, withoutDecrease } from './merge-metrics.ts';
import { type Metric, type Rule, readReport } from './metric.ts';
import { textOf } from './metrics-text.ts';

const counter = (value: number, labels: Record<string, string> = {}, name = 'c_total'): Metric => ({
  name,
  help: 'A count.',
  type: 'counter',
  aggregator: 'sum',
  values: [{ labels, value }],
});
const gauge = (value: number, aggregator: Rule): Metric => ({
  ...counter(value, {}, `g_${aggregator}`),
  type: 'gauge',
  aggregator,
});
const histogram = (sum: number, ...buckets: readonly (readonly [number | string, number])[]): Metric => ({
  ...counter(0, {}, 'h'),
  type: 'histogram',
  values: [
    ...buckets.map(([le, value]) => ({ metricName: 'h_bucket', labels: { le }, value })),
    { metricName: 'h_sum', labels: {}, value: sum },
  ],
});
const valuesOf = (metrics: readonly Metric[]) =>
  metrics.map(({ name, values }) => [name, ...values.map(({ value }) => value)]);

test('counts and buckets are added up by name and labels, gauges follow their rule', () => {
  const one = [gauge(1, 'sum'), gauge(1, 'max'), gauge(1, 'min'), histogram(0.5, [1, 2], ['+Inf', 3])];
  const other = [gauge(4, 'sum'), gauge(4, 'max'), gauge(0, 'min'), histogram(2, [1, 5], ['+Inf', 5])];
  expect(valuesOf(mergeMetrics([one, other]))).toEqual([
    ['g_sum', 5],
    ['g_max', 4],
    ['g_min', 0],
    ['h', 7, 8, 2.5],
  ]);
  const labelled = mergeMetrics([
    [counter(1, { surface: 'a"\n\\', outcome: 'x' })],
    [counter(2, { outcome: 'x', surface: 'a"\n\\' })],
    [counter(4, { outcome: 'y', surface: 'a' }), counter(8, {}, 'only_here_total')],
  ]);
  expect(valuesOf(labelled)).toEqual([
    ['c_total', 3, 4],
    ['only_here_total', 8],
  ]);
});

test('of a worker that is gone only counts stay, and no count goes down, not even in its last digit', () => {
  expect(valuesOf(countsOf([counter(3), gauge(9, 'sum'), histogram(1, [1, 2])]))).toEqual([
    ['c_total', 3],
    ['h', 2, 1],
  ]);
  const [a, b, c] = [0.1, 0.2, 0.3].map((sum) => [histogram(sum)]) as [Metric[], Metric[], Metric[]];
  const before = mergeMetrics([a, b, c]);
  const after = mergeMetrics([c, b, a]);
  expect(valuesOf(after)).not.toEqual(valuesOf(before));
  expect(valuesOf(withoutDecrease(before, after))).toEqual(valuesOf(before));
  expect(valuesOf(withoutDecrease([counter(5), gauge(5, 'max')], [counter(7), gauge(2, 'max')]))).toEqual([
    ['c_total', 7],
    ['g_max', 2],
  ]);
  expect(valuesOf(withoutDecrease([counter(5)], []))).toEqual([['c_total', 5]]);
});

test('a metric that has another type in a worker of another version does not mix with it', () => {
  const changed: Metric = { ...gauge(100, 'sum'), name: 'c_total' };
  expect(valuesOf(mergeMetrics([[counter(1)], [changed], [counter(2)]]))).toEqual([['c_total', 3]]);
});

test.each([
  undefined,
  null,
  'metrics',
  [],
  {},
  { metrics: [counter(1)] },
  { metrics: 'x', isSpoolUsable: true },
  { metrics: [null], isSpoolUsable: true },
  { metrics: [{ ...counter(1), name: 'bad name\n' }], isSpoolUsable: true },
  { metrics: [{ ...counter(1), aggregator: 'average' }], isSpoolUsable: true },
  { metrics: [{ ...counter(1), type: 'summary' }], isSpoolUsable: true },
  { metrics: [{ ...counter(1), values: [{ value: 1 }] }], isSpoolUsable: true },
  { metrics: [{ ...counter(1), values: [{ labels: { a: {} }, value: 1 }] }], isSpoolUsable: true },
  { metrics: [counter(Number.NaN)], isSpoolUsable: true },
  { metrics: [counter(Number.POSITIVE_INFINITY)], isSpoolUsable: true },
  { metrics: [counter(-1)], isSpoolUsable: true },
])('a report that is not one is not read: %j', (content) => {
  expect(readReport(content)).toBeNull();
});

test('a gauge may be infinite, and merged metrics are written as a registry writes them', async () => {
  const metrics = [gauge(Number.POSITIVE_INFINITY, 'max'), counter(1, { surface: 'a"\n\\' })];
  expect(readReport({ metrics, isSpoolUsable: true })).toEqual({ metrics, isSpoolUsable: true });
  expect(await textOf(metrics)).toBe(
    '# HELP g_max A count.\n# TYPE g_max gauge\ng_max +Inf\n\n' +
      '# HELP c_total A count.\n# TYPE c_total counter\nc_total{surface="a\\"\\n\\\\"} 1\n',
  );
});

test('a host without a single report has accepted nothing, and its database is not known to be available', () => {
  const figures = figuresOf({ metrics: [], isSpoolUsable: true }, null);
  expect(figures).toMatchObject({ accepted: 0, queueLeads: 0, isDatabaseAvailable: false });
});
