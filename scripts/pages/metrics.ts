import { mintRefusals, mintSteps } from '../../src/domain/browser/mint/mint-outcome.ts';
import { notHeldCauses } from '../../src/domain/held/not-held.ts';
import { surfaces } from '../../src/domain/surface.ts';
import { supervisorMetrics } from '../../src/telemetry/host/supervisor-metrics.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';

/** A metric as prom-client stores it; its own types are incomplete. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly upperBounds?: readonly number[];
  readonly constructor: { readonly name: string };
}

/** All metrics that the service registers, and those of the supervisor of several workers. */
export function describedMetrics(): readonly Described[] {
  const none = () => 0;
  const metrics = new Metrics({ directoryAgeMs: none, clockLeapMs: none, lookupProviders: [] });
  metrics.watch({
    queueDepth: none,
    heavyDepth: none,
    spoolLeads: none,
    spoolBytes: none,
    isDatabaseAvailable: () => true,
    nodes: () => [],
  });
  metrics.watchStreams(none);
  metrics.deliveries.watch({ inFlight: 0, oldestDueMs: 0 });
  metrics.held.watch(none);
  metrics.browser.watch(none);
  const workers = { configured: 0, running: 0, restarts: 0, sinceRestartMs: null };
  const registries = [metrics.registry, supervisorMetrics(() => workers)];
  const found = registries.flatMap((registry) => registry.getMetricsAsArray() as unknown as Described[]);
  return [...new Map(found.map((metric) => [metric.name, metric])).values()];
}

/** docs/metrics.md: every metric, from the registry. */
export function metricsPage(): string {
  const described = describedMetrics().toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `# Metrics

\`GET /metrics\` returns the metrics of an instance in the Prometheus text format. It needs \`METRICS_TOKEN\` or the operator key; \`METRICS_PORT\` opens another port that needs no key
([configuration](configuration.md)). Counters start at 0 with the process, so use \`rate()\` or \`increase()\`.

With several workers (\`WORKERS\`), every metric is that of the host: counters, histograms, queues and bytes are added up, and what workers counted before they stopped stays, so no counter goes down when a worker is
replaced. A worker that is killed loses at most what it counted in its last few seconds. One that does not respond within two seconds counts with its last known numbers.

Start with the ready-made [Prometheus rules and Grafana dashboard](operating.md#prometheus-rules-and-dashboard). [Operating](operating.md#alerts) says what to do about each alert.

| Metric | Type | Labels | Meaning |
|---|---|---|---|
${described.map(row).join('\n')}

A histogram \`x\` has the series \`x_bucket\`, \`x_sum\` and \`x_count\`.

## Labels

Their values come from closed lists, so senders cannot create new series.

| Label | Values |
|---|---|
| \`surface\` | ${codes(surfaces)} |
| \`outcome\` of ingest requests | \`accepted\`, \`replayed\` (a retry that got the original response), \`unavailable\` (the connection was closed without a response), \`fault\` (the same after an internal error), or the code of a [rejection reason](rejection-reasons.md) |
| \`provider\`, \`outcome\` of lookups | the providers of [enrichment](enrichment.md) and the outcomes of their lookups |
| \`outcome\` of deliveries | \`delivered\`, \`failed\`, \`dead\`, \`skipped\`, \`cancelled\`: the states of [deliveries](destinations.md), with \`failed\` for a try that is followed by another |
| \`step\` | ${codes(mintSteps)}: what a web page asks for |
| \`outcome\` of web pages | \`granted\`, \`dummy\` (with a dummy key), \`unavailable\`, \`fault\`, or why it was refused: ${codes(mintRefusals)} |
| \`kind\` | the kinds of [alarms](alarms.md) |
| \`outcome\` of emails about alarms | \`sent\`, \`failed\` (tried again later), \`refused\` (the mail server does not accept the recipient) |
| \`cause\` | ${codes(notHeldCauses)}: why a rejected request was not kept |

## Useful queries

| Question | PromQL |
|---|---|
| accepted leads per second | \`sum(rate(leadgate_ingest_requests_total{outcome="accepted"}[5m]))\` |
| percentage of rejected requests | \`sum(rate(leadgate_ingest_requests_total{outcome!~"accepted\\|replayed\\|unavailable\\|fault"}[5m])) / sum(rate(leadgate_ingest_requests_total[5m])) * 100\` |
| requests over a rate limit, per hour | \`sum by (surface) (increase(leadgate_ingest_requests_total{outcome=~"rate_limited_.*"}[1h]))\` |
| 99th percentile of a commit | \`histogram_quantile(0.99, sum by (le) (rate(leadgate_commit_duration_seconds_bucket[5m])))\` |
| workers that do not run | \`sum(leadgate_workers_configured - leadgate_workers)\` |
| percentage of failed tries | \`sum(rate(leadgate_deliveries_total{outcome=~"failed\\|dead"}[5m])) / sum(rate(leadgate_deliveries_total{outcome=~"delivered\\|failed\\|dead"}[5m])) * 100\` |
| leads waiting for PostgreSQL | \`sum(leadgate_spool_leads)\` |
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
