import { availableParallelism } from 'node:os';
import type { Health } from '../../contract/operator/health.ts';
import { usableMemory } from '../../db/embedded/usable-memory.ts';
import { memoryNeeded } from '../../telemetry/host/worker-memory.ts';
import { type Finding, ok, warning } from './finding.ts';

export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

export function thisMachine(): Machine {
  return { cores: availableParallelism(), memoryBytes: usableMemory() };
}

/** `running` is what the running service says; null if none can be reached, or if it has one process. */
export function checkWorkers(
  configured: number,
  running: Health['workers'],
  { cores, memoryBytes }: Machine,
): Finding[] {
  // The service may have variables that this command does not have.
  const count = Math.max(configured, running?.configured ?? 1);
  const findings = [
    checkApplied(configured, running),
    checkCores(count, cores),
    checkMemory(count, memoryBytes),
  ].filter((finding) => finding !== null);
  return findings.length > 0 ? findings : [ok('workers', countText(configured, running))];
}

function countText(configured: number, running: Health['workers']): string {
  if (running !== null) return `${running.running} of ${running.configured} are running.`;
  return configured === 1 ? 'WORKERS is 1: the service is one process.' : `WORKERS is ${configured}.`;
}

function checkApplied(configured: number, running: Health['workers']): Finding | null {
  if (configured === 1 || running === null || running.configured === configured) return null;
  return warning(
    'workers',
    `WORKERS is ${configured}, but the running service was started with ${running.configured}.`,
    'Restart the service, or give this command the variables of the service.',
  );
}

function checkCores(count: number, cores: number): Finding | null {
  if (count === 1 || count <= cores) return null;
  return warning(
    'workers',
    `There are ${count} workers, but only ${cores === 1 ? '1 core' : `${cores} cores`}.`,
    'Set WORKERS=auto, or to one less than the cores: PostgreSQL needs one too.',
  );
}

function checkMemory(count: number, memoryBytes: number): Finding | null {
  const needed = memoryNeeded(count);
  if (count === 1 || memoryBytes >= needed) return null;
  return warning(
    'memory',
    `${count} workers take about ${megabytes(needed)} MB under load, but this machine or container has ${megabytes(memoryBytes)} MB.`,
    'Lower WORKERS, or give it more memory. PostgreSQL on the same machine needs its own.',
  );
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
