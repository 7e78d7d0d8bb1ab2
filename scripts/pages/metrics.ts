import { surfaces } from '../../src/domain/surface.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';

/** What prom-client keeps of a metric; its own types tell less. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly upperBounds?: readonly number[];
  readonly constructor: { readonly name: string };
}

/** Every metric of a registry as the service fills it. */
export function describedMetrics(): readonly Described[] {
  const none = () => 0;
  const metrics = new Metrics({ directoryAgeMs: none, clockLeapMs: none, lookupProviders: [] });
  metrics.watch({
    queueDepth: none,
    heavyDepth: none,
    spoolLeads: none,
    spoolBytes: none,
    isDatabaseAvailable: () => true,
  });
  return metrics.registry.getMetricsAsArray() as unknown as Described[];
}

/** docs/metrics.md: every metric, from the registry. */
export function metricsPage(): string {
  const described = describedMetrics().toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `# Metrics

\`GET /metrics\` answers all of them in the Prometheus text format, per instance. It needs \`METRICS_TOKEN\` or the operator key; a further port without a key can be opened with
\`METRICS_PORT\` ([configuration](configuration.md)). Counters start at 0 with the process, so use \`rate()\` or \`increase()\`.

For monitoring, start with the ready-made [alarm rules and dashboard](operating.md#monitoring-alarm-rules-and-a-dashboard): Prometheus rules and a Grafana dashboard that use these
metrics. [Operating](operating.md#alarms) says what to do about each alarm.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
${described.map(row).join('\n')}

A histogram \`x\` has the series \`x_bucket\`, \`x_sum\` and \`x_count\`.

## Labels

Their values come from closed lists, so that no sender can make new series.

| Label | Values |
|---|---|
| \`surface\` | ${codes(surfaces)} |
| \`outcome\` of ingest requests | \`accepted\`, \`replayed\` (a repeat that got its original answer), \`unavailable\` (no answer, the connection was closed), or the code of a [rejection reason](rejection-reasons.md) |
| \`provider\`, \`outcome\` of lookups | the providers of [enrichment](enrichment.md) and how asking them ended |

## Questions and queries

| You want to know | PromQL |
|---|---|
| leads accepted per second | \`sum(rate(leadgate_ingest_requests_total{outcome="accepted"}[5m]))\` |
| share of requests that are rejected | \`sum(rate(leadgate_ingest_requests_total{outcome!~"accepted\\|replayed\\|unavailable"}[5m])) / sum(rate(leadgate_ingest_requests_total[5m]))\` |
| senders that were throttled | \`sum by (surface) (increase(leadgate_ingest_requests_total{outcome=~"rate_limited_.*"}[1h]))\` |
| 99th percentile of a commit | \`histogram_quantile(0.99, sum by (le) (rate(leadgate_commit_duration_seconds_bucket[5m])))\` |
| leads that wait for PostgreSQL | \`sum(leadgate_spool_leads)\` |
`;
}

function row(metric: Described): string {
  const { name, help, labelNames = [], upperBounds } = metric;
  const type = metric.constructor.name.toLowerCase();
  const buckets = upperBounds === undefined ? '' : ` Buckets: ${upperBounds.join(', ')}.`;
  return `| \`${name}\` | ${type} | ${codes(labelNames)} | ${help}${buckets} |`;
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
