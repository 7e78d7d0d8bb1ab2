import { Counter, Gauge, type Registry } from 'prom-client';
import { standardError } from '../log-lines.ts';
import type { Rule } from './metric.ts';

/** Adds a gauge that is read on scrape. The rule says what several workers have together. */
export function addGauge(
  registry: Registry,
  { name, help, read, rule }: { name: string; help: string; read: () => number; rule: Rule },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    aggregator: rule,
    collect() {
      this.set(read());
    },
  });
}

/** Of a worker and of the supervisor alike, so that their sum is what the service takes on its host. */
export function addMemoryGauge(registry: Registry): void {
  addGauge(registry, {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process. With several workers, of all of them and the supervisor.',
    read: () => process.memoryUsage.rss(),
    rule: 'sum',
  });
}

/** Of a worker and of the supervisor alike, because each writes to the log. */
export function addLogMetrics(registry: Registry): void {
  new Counter({
    name: 'leadgate_log_lines_dropped_total',
    help: 'Log lines that could not be written, for example because the disk is full. Alert: `leadgate doctor` says what to do.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(standardError.dropped);
    },
  });
  addGauge(registry, {
    name: 'leadgate_log_writable',
    help: '1 while the log is written, 0 while its lines are dropped. With several workers, 0 if it is 0 for one process.',
    read: () => Number(standardError.isWritable),
    rule: 'min',
  });
}

/** Nodes come and go, so this is the one gauge whose labels are not known from the start. */
export function addNodeGauge(
  registry: Registry,
  nodes: () => readonly { readonly address: string; readonly isAvailable: boolean }[],
): void {
  new Gauge({
    name: 'leadgate_node_available',
    help: 'On a cluster, for each node: 1 while its leads are stored there, 0 while they go to the spool.',
    labelNames: ['node'],
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.reset();
      for (const { address, isAvailable } of nodes()) this.set({ node: address }, Number(isAvailable));
    },
  });
}
