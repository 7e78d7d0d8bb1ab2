import { Registry } from 'prom-client';
import type { Metric, Series } from './metric.ts';

/** What `/metrics` returns. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics of a registry as plain data, which can be sent to another process. */
export async function readMetrics(registry: Registry): Promise<Metric[]> {
  // The types of prom-client allow more kinds and rules than our registries use.
  const found = (await registry.getMetricsAsJSON()) as unknown as Metric[];
  return found.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type,
    aggregator,
    // Copied, because prom-client returns the objects that it counts in.
    values: values.map(({ metricName, labels, value }): Series => {
      const series = { labels: { ...labels }, value };
      return metricName === undefined ? series : { metricName, ...series };
    }),
  }));
}

/** In the format in which a registry writes its own metrics. */
export function textOf(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  // A registry only needs the name and the values, but its type asks for a whole metric.
  for (const metric of metrics) registry.registerMetric({ ...metric, get: async () => metric } as never);
  return registry.metrics();
}
