import type { Scenario } from '../scenario.ts';
import { citusScenarios } from './citus.ts';
import { databaseScenarios } from './database.ts';
import { deliveryScenarios } from './delivery.ts';
import { failoverScenarios } from './failover.ts';
import { heldScenarios } from './held.ts';
import { pairScenarios } from './pairs.ts';
import { serviceScenarios } from './service.ts';
import { spoolScenarios } from './spool.ts';
import { workerScenarios } from './workers.ts';

/** Every scenario, in the order of a full run. */
export const scenarios: readonly Scenario[] = [
  ...serviceScenarios,
  ...databaseScenarios,
  ...spoolScenarios,
  ...pairScenarios,
  ...failoverScenarios,
  ...workerScenarios,
  ...deliveryScenarios,
  ...heldScenarios,
  ...citusScenarios,
];

export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name.replaceAll('-', ' '));
  if (found !== undefined) return found;
  const names = scenarios.map((scenario) => scenario.name.replaceAll(' ', '-'));
  throw new Error(`There is no scenario "${name}". There are: ${names.join(', ')}`);
}
