import type { DeliveryState } from '../src/domain/destination/destination.ts';
import { check } from './check.ts';
import type { Finding } from './finding.ts';
import { type Plan, planOf } from './plan.ts';
import { World } from './world.ts';

export interface Result {
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** Hash of everything that happened: the same for the same seed. */
  readonly hash: string;
  /** Empty unless requested. */
  readonly trace: readonly string[];
  readonly accepted: number;
  /** What became of each delivery. */
  readonly deliveries: readonly DeliveryState[];
}

export function runSeed(seed: number, isTraced = false): Promise<Result> {
  return runPlan(planOf(seed), isTraced);
}

export async function runPlan(plan: Plan, isTraced = false): Promise<Result> {
  const world = new World(plan, isTraced);
  const escaped: string[] = [];
  const onEscape = (error: unknown) => escaped.push(String((error as Error).stack ?? error));
  process.on('unhandledRejection', onEscape);
  try {
    await world.run();
  } finally {
    process.off('unhandledRejection', onEscape);
  }
  const findings = [...check(world), ...escaped.map((text) => ({ kind: 'stuck' as const, text }))];
  const accepted = world.senders.ledger.filter(({ answer }) => answer?.status === 202).length;
  const deliveries = [...world.server.tables.deliver.deliveries.values()].map(({ state }) => state);
  return { plan, findings, hash: world.trace.digest(), trace: world.trace.lines, accepted, deliveries };
}
