/** How the values of several workers become the value of their host. */
const rules = ['sum', 'max', 'min'] as const;
export type Rule = (typeof rules)[number];

const kinds = ['counter', 'histogram', 'gauge'] as const;

/** A metric and its series at a moment: what prom-client's `getMetricsAsJSON` returns, as far as it is needed. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: (typeof kinds)[number];
  readonly aggregator: Rule;
  readonly values: readonly Series[];
}

export interface Series {
  /** Of a histogram: the name of the metric with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** What a worker says about itself. */
export interface WorkerReport {
  readonly metrics: readonly Metric[];
  /** Has no metric. */
  readonly isSpoolUsable: boolean;
}

/** Counts only grow, and outlive the worker that counted. */
export function isCounting({ type }: Metric): boolean {
  return type !== 'gauge';
}

/** Null for anything else: a worker that is broken, or of another version, must not break the metrics of its host. */
export function readReport(content: unknown): WorkerReport | null {
  if (!isRecord(content) || typeof content.isSpoolUsable !== 'boolean') return null;
  const { metrics, isSpoolUsable } = content;
  return Array.isArray(metrics) && metrics.every(isMetric) ? { metrics, isSpoolUsable } : null;
}

function isMetric(found: unknown): found is Metric {
  if (!isRecord(found) || !isName(found.name) || typeof found.help !== 'string') return false;
  const isKnown =
    kinds.some((kind) => kind === found.type) && rules.some((rule) => rule === found.aggregator);
  if (!isKnown || !Array.isArray(found.values)) return false;
  // A gauge may be infinite, such as the age of what was never read. A count that is not finite would stay so.
  const isValue = found.type === 'gauge' ? (value: number) => !Number.isNaN(value) : isCount;
  return found.values.every((series) => isSeries(series, isValue));
}

function isSeries(found: unknown, isValue: (value: number) => boolean): found is Series {
  if (!isRecord(found) || !isRecord(found.labels)) return false;
  if (found.metricName !== undefined && !isName(found.metricName)) return false;
  const areLabels = Object.entries(found.labels).every(
    ([name, value]) => isName(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  return areLabels && typeof found.value === 'number' && isValue(found.value);
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function isName(found: unknown): found is string {
  return typeof found === 'string' && /^[a-zA-Z_]\w*$/.test(found);
}

function isRecord(found: unknown): found is Record<string, unknown> {
  return typeof found === 'object' && found !== null;
}
