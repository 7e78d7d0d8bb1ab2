import { availableParallelism } from 'node:os';

/** How a process shares the connections to PostgreSQL with the other processes of its host. */
export interface ConnectionBudget {
  readonly poolConnectionsMax: number;
  readonly laneCount: number;
}

/** All processes of a host together, even while a rolling restart runs the first one twice. */
export const hostConnectionsMax = 70;
/** Every process: its lane for large leads. */
const largeLanes = 1;
/** Every process: for rejected requests that are kept. */
const held = 1;
/** The first process: a listener, and a probe or a migration. */
const firstExtra = 2;
const firstPool = 10;
const alonePool = 10;
/** A drain, and everything else that takes turns: diagnostics, the directory, keys of unreadable bodies. */
const otherPool = 2;

/**
 * Several processes are several lanes, so each has only one. A process that accepts nothing but leads needs few other
 * connections. Its probe runs only while its lanes are closed.
 */
export function connectionBudget(workerCount: number, isFirst: boolean): ConnectionBudget {
  if (workerCount === 1) return { poolConnectionsMax: alonePool, laneCount: usualLaneCount };
  return { poolConnectionsMax: isFirst ? firstPool : otherPool, laneCount: 1 };
}

/** The most connections that a host with so many processes opens. */
export function connectionsMax(workerCount: number): number {
  const first = firstPool + 1 + largeLanes + held + firstExtra;
  const other = otherPool + 1 + largeLanes + held;
  return 2 * first + (workerCount - 1) * other;
}

// A second lane needs another core. On two cores, PostgreSQL already shares one with everything else.
const usualLaneCount = availableParallelism() > 2 ? 2 : 1;
