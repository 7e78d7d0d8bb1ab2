import { Counter, Registry } from 'prom-client';
import { addGauge, addLogMetrics, addMemoryGauge } from './gauge.ts';
import type { WorkerFigures } from './host-figures.ts';

/** The metrics of the supervisor itself, which only exists if WORKERS is above 1. */
export function supervisorMetrics(workers: () => WorkerFigures): Registry {
  const registry = new Registry();
  addGauge(registry, {
    name: 'leadgate_workers',
    help: 'Workers that run and respond; one more while a worker is replaced. Only if `WORKERS` is above 1.',
    read: () => workers().running,
    rule: 'sum',
  });
  addGauge(registry, {
    name: 'leadgate_workers_configured',
    help: 'Workers that should run: the value of `WORKERS`. Only if it is above 1.',
    read: () => workers().configured,
    rule: 'sum',
  });
  new Counter({
    name: 'leadgate_worker_restarts_total',
    help: 'Workers that died and were started again. Only if `WORKERS` is above 1. Alert: the log says why.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(workers().restarts);
    },
  });
  addMemoryGauge(registry);
  addLogMetrics(registry);
  return registry;
}
