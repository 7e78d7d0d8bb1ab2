import { Counter, Histogram, Registry } from 'prom-client';
import { providerOutcomes } from '../domain/enrichment/vocabulary.ts';
import { type IngestOutcome, ingestOutcomes } from '../domain/rejection.ts';
import { type Surface, surfaces } from '../domain/surface.ts';
import { AlarmMetrics } from './alarm-metrics.ts';
import { BrowserMetrics } from './browser-metrics.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { HeldMetrics } from './held-metrics.ts';
import { addGauge, addLogMetrics, addMemoryGauge, addNodeGauge } from './host/gauge.ts';
import type { Metric, Rule } from './host/metric.ts';
import { type MetricsText, metricsContentType, readMetrics } from './host/metrics-text.ts';

export interface MetricSources {
  readonly directoryAgeMs: () => number;
  readonly clockLeapMs: () => number;
  /** The ids of all enrichment providers. */
  readonly lookupProviders: readonly string[];
}

export interface DataPlaneSources {
  readonly queueDepth: () => number;
  readonly heavyDepth: () => number;
  readonly spoolLeads: () => number;
  readonly spoolBytes: () => number;
  readonly isDatabaseAvailable: () => boolean;
  /** Of a cluster; empty without one. */
  readonly nodes: () => readonly { readonly address: string; readonly isAvailable: boolean }[];
}

export const commitBoundsSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
/** The upper bounds of the buckets in which the durations of commits are counted. */
export const commitBoundsMs = [...commitBoundsSeconds.map((bound) => bound * 1000), Number.POSITIVE_INFINITY];

// Pending means that no provider has been asked yet.
const lookupOutcomes = providerOutcomes.filter((outcome) => outcome !== 'pending');

/**
 * Every metric of the service, in one list. Labels come from closed sets, and each series starts at 0: Prometheus does not
 * see an increase in a series that first appears with a value, so an alert would miss the first burst. With several workers
 * the supervisor merges the metrics of all: counters and histograms are added up, gauges follow their rule.
 */
export class Metrics implements MetricsText {
  readonly registry = new Registry();
  readonly deliveries = new DeliveryMetrics(this.registry);
  readonly held = new HeldMetrics(this.registry);
  readonly alarms = new AlarmMetrics(this.registry);
  readonly browser = new BrowserMetrics(this.registry);
  // Plain maps, because a labelled counter is too slow for rejections.
  readonly #outcomes = new Map(
    surfaces.map((surface) => [surface, new Map(ingestOutcomes.map((outcome) => [outcome, { count: 0 }]))]),
  );

  constructor(sources: MetricSources) {
    const registers = [this.registry];
    const outcomes = this.#outcomes;
    new Counter({
      name: 'leadgate_ingest_requests_total',
      help: 'Ingest requests by surface and outcome: accepted, replayed, a rejection reason, or no response.',
      labelNames: ['surface', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [surface, counts] of outcomes) {
          for (const [outcome, { count }] of counts) this.inc({ surface, outcome }, count);
        }
      },
    });
    // The default metrics of prom-client observe every garbage collection and event loop turn. These are read on scrape.
    addMemoryGauge(this.registry);
    addLogMetrics(this.registry);
    this.#gauge(
      'leadgate_event_loop_utilization',
      'Fraction of the time since start that the event loop was busy, from 0 to 1. With several workers, that of the busiest.',
      () => performance.eventLoopUtilization().utilization,
      'max',
    );
    this.#gauge(
      'leadgate_directory_age_seconds',
      'Time since forms, tokens and secrets were last confirmed to be current. With several workers, the longest.',
      () => sources.directoryAgeMs() / 1000,
      'max',
    );
    this.#gauge(
      'leadgate_clock_leap_seconds',
      'Size of a system clock jump that the service does not follow yet; otherwise 0. Alert: check the system clock.',
      () => sources.clockLeapMs() / 1000,
      'max',
    );
    for (const provider of sources.lookupProviders) {
      for (const outcome of lookupOutcomes) this.#lookups.inc({ provider, outcome }, 0);
    }
  }

  /** Adds the gauges of the data plane, which is created after the metrics. */
  watch(sources: DataPlaneSources): void {
    this.#gauge('leadgate_commit_queue_depth', 'Leads waiting to be committed.', sources.queueDepth);
    this.#gauge(
      'leadgate_heavy_queue_depth',
      'Heavy leads waiting for the thread that scores them.',
      sources.heavyDepth,
    );
    this.#gauge('leadgate_spool_leads', 'Leads in the spool waiting for PostgreSQL.', sources.spoolLeads);
    this.#gauge('leadgate_spool_bytes', 'Size of the leads in the spool.', sources.spoolBytes);
    this.#gauge(
      'leadgate_database_available',
      '1 while leads go to PostgreSQL, 0 while they go to the spool. On a cluster, 0 while those of any node do. With several workers, 0 if it is 0 for one.',
      () => Number(sources.isDatabaseAvailable()),
      'min',
    );
    addNodeGauge(this.registry, sources.nodes);
  }

  /** Adds the gauge of the control plane, which is created even later. */
  watchStreams(open: () => number): void {
    this.#gauge('leadgate_change_streams', 'Open streams that tell settings areas what changed.', open);
  }

  /** Read on scrape. */
  #gauge(name: string, help: string, read: () => number, rule: Rule = 'sum'): void {
    addGauge(this.registry, { name, help, read, rule });
  }

  #counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }

  readonly #drained = this.#counter('leadgate_spool_drained_total', 'Leads moved out of the spool.');
  readonly #torn = this.#counter(
    'leadgate_spool_torn_total',
    'Spool writes cut short by a crash. Their leads were never acknowledged.',
  );
  readonly #damaged = this.#counter(
    'leadgate_spool_damaged_total',
    'Unreadable parts of the spool that were set aside. Alert: a disk error may have lost leads.',
  );
  readonly #quarantined = this.#counter(
    'leadgate_spool_quarantined_total',
    'Spooled leads that PostgreSQL refused and that are now in quarantine. Alert: review them.',
  );

  onDrained(leads: number): void {
    this.#drained.inc(leads);
  }

  onTorn(): void {
    this.#torn.inc();
  }

  onDamaged(): void {
    this.#damaged.inc();
  }

  onQuarantined(): void {
    this.#quarantined.inc();
  }

  readonly #heavy = this.#counter(
    'leadgate_heavy_leads_total',
    'Leads with so many parts that a separate thread parsed and scored them.',
  );
  readonly #heavyDeaths = this.#counter(
    'leadgate_heavy_thread_deaths_total',
    'Times the thread for heavy leads crashed and was restarted. Its leads were tried once more.',
  );

  onHeavy(): void {
    this.#heavy.inc();
  }

  onThreadDied(): void {
    this.#heavyDeaths.inc();
  }

  readonly #batchRows = new Histogram({
    name: 'leadgate_commit_batch_rows',
    help: 'Leads per commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.registry],
  });

  readonly #commitSeconds = new Histogram({
    name: 'leadgate_commit_duration_seconds',
    help: 'Duration of a commit.',
    buckets: commitBoundsSeconds,
    registers: [this.registry],
  });

  readonly #lookups = new Counter({
    name: 'leadgate_enrichment_lookups_total',
    help: 'Enrichment lookups by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    registers: [this.registry],
  });

  onLookup(provider: string, outcome: string): void {
    this.#lookups.inc({ provider, outcome });
  }

  readonly #leadsIndexed = new Counter({
    name: 'leadgate_leads_indexed_total',
    help: 'Leads put in blocks of the index for searching and sorting. A lead counts again if its block is rebuilt.',
    registers: [this.registry],
  });

  leadsIndexed(leads: number): void {
    this.#leadsIndexed.inc(leads);
  }

  onOutcome(surface: Surface, outcome: IngestOutcome): void {
    const counted = this.#outcomes.get(surface)?.get(outcome);
    if (counted !== undefined) counted.count++;
  }

  readonly contentType = metricsContentType;

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The metrics as plain data. */
  read(): Promise<Metric[]> {
    return readMetrics(this.registry);
  }

  onCommit(rows: number, durationMs: number): void {
    this.#batchRows.observe(rows);
    this.#commitSeconds.observe(durationMs / 1000);
  }
}
