import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricSources {
  readonly queueDepth: () => number;
  readonly directoryAgeMs: () => number;
}

/** Every metric of the service, in one list. Labels come from closed sets only. */
export class Metrics {
  readonly registry = new Registry();
  // Counted in plain maps, by surface and outcome: a labelled counter costs more than a rejection may.
  readonly #outcomes = new Map<string, Map<string, { count: number }>>();

  constructor(sources: MetricSources) {
    const registers = [this.registry];
    const outcomes = this.#outcomes;
    new Counter({
      name: 'leadgate_ingest_requests_total',
      help: 'Ingest requests by surface and outcome: accepted, replayed, a rejection reason, or no answer.',
      labelNames: ['surface', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [surface, counts] of outcomes) {
          for (const [outcome, { count }] of counts) this.inc({ surface, outcome }, count);
        }
      },
    });
    // The usual default metrics watch every collection of garbage and every turn of the loop; these ask when asked.
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Memory of the process.',
      registers,
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
    new Gauge({
      name: 'leadgate_event_loop_utilization',
      help: 'Share of the time since the start in which the service was busy, from 0 to 1.',
      registers,
      collect() {
        this.set(performance.eventLoopUtilization().utilization);
      },
    });
    new Gauge({
      name: 'leadgate_commit_queue_depth',
      help: 'Leads waiting for their commit.',
      registers,
      collect() {
        this.set(sources.queueDepth());
      },
    });
    new Gauge({
      name: 'leadgate_directory_age_seconds',
      help: 'Time since forms, tokens and secrets were last known to be current.',
      registers,
      collect() {
        this.set(sources.directoryAgeMs() / 1000);
      },
    });
  }

  readonly #batchRows = new Histogram({
    name: 'leadgate_commit_batch_rows',
    help: 'Leads per commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.registry],
  });

  readonly #commitSeconds = new Histogram({
    name: 'leadgate_commit_duration_seconds',
    help: 'Duration of one commit.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [this.registry],
  });

  readonly #lookups = new Counter({
    name: 'leadgate_enrichment_lookups_total',
    help: 'Leads that an enrichment provider was asked about, by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    registers: [this.registry],
  });

  onLookup(provider: string, outcome: string): void {
    this.#lookups.inc({ provider, outcome });
  }

  onOutcome(surface: string, outcome: string): void {
    let counts = this.#outcomes.get(surface);
    if (counts === undefined) {
      counts = new Map();
      this.#outcomes.set(surface, counts);
    }
    const known = counts.get(outcome);
    if (known === undefined) counts.set(outcome, { count: 1 });
    else known.count++;
  }

  onCommit(rows: number, durationMs: number): void {
    this.#batchRows.observe(rows);
    this.#commitSeconds.observe(durationMs / 1000);
  }
}
