import { Counter, type Registry } from 'prom-client';
import {
  type MintOutcome,
  type MintStep,
  mintOutcomes,
  mintSteps,
} from '../domain/browser/mint/mint-outcome.ts';
import { addGauge } from './host/gauge.ts';

/** The metrics of challenges and tokens for web pages. */
export class BrowserMetrics {
  readonly #registry: Registry;
  /** Plain maps, because a labelled counter is too slow for a flood. */
  readonly #requests = new Map(
    mintSteps.map((step) => [
      step,
      new Map<MintOutcome, number>(mintOutcomes.map((outcome) => [outcome, 0])),
    ]),
  );

  constructor(registry: Registry) {
    const requests = this.#requests;
    this.#registry = registry;
    new Counter({
      name: 'leadgate_browser_mint_requests_total',
      help: 'Requests of web pages for challenges and tokens, by step (challenge, token) and outcome: granted, dummy (with a dummy key), why it was refused, unavailable (forms were not read yet), or fault.',
      labelNames: ['step', 'outcome'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [step, counts] of requests) {
          for (const [outcome, count] of counts) this.inc({ step, outcome }, count);
        }
      },
    });
  }

  watch(workDepth: () => number): void {
    addGauge(this.#registry, {
      name: 'leadgate_browser_work_queue_depth',
      help: 'Solutions of web pages that wait to be checked.',
      read: workDepth,
      rule: 'sum',
    });
  }

  onMint(step: MintStep, outcome: MintOutcome): void {
    const counts = this.#requests.get(step);
    counts?.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
}
