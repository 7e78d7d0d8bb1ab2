import { readFileSync } from 'node:fs';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import type { Book } from '../check/book.ts';
import { compareBystanders } from '../check/bystanders.ts';
import { readStored } from '../check/stored.ts';
import type { Stage } from '../scenario.ts';
import { type CitusWorld, routes } from '../world/citus/citus-world.ts';

/** What the service promises to senders whose node has no fault. */
const slowerMax = 2;
/** On a shared machine the same run may be twice as slow a minute later, so only more than this fails it. */
const slowerFailing = 5;
/** A lead that arrives shortly before the end of a window may be counted in the next one. */
const windowMsMin = 57_000;

/** The loss of a node affects nobody else: not the senders of other nodes, and not how the instances see those. */
export async function judge(stage: Stage, book: Book): Promise<void> {
  judgeBystanders(stage, book);
  judgeCircuits(stage);
}

/** Senders of other nodes wait hardly longer than before the faults. */
function judgeBystanders(stage: Stage, { attempts }: Book): void {
  const { quiet, faults } = stage.citus as CitusWorld;
  if (quiet === null) return;
  for (const [number, route] of routes.entries()) {
    const port = stage.instances[number]?.port;
    const own = attempts.filter((attempt) => attempt.port === port);
    const { leads, quietP99Ms, p99Ms, acceptedShare } = compareBystanders(own, quiet, faults);
    if (leads === 0) continue;
    const ratio = p99Ms / quietP99Ms;
    const text = `route ${route}: p99 of unaffected senders ${p99Ms.toFixed(0)} ms, ${ratio.toFixed(1)} × the ${quietP99Ms.toFixed(0)} ms before${ratio > slowerMax ? ` (goal ${slowerMax} ×)` : ''}; ${leads} leads, ${(acceptedShare * 100).toFixed(2)} % got a 202`;
    if (ratio > slowerFailing) stage.miss(text);
    else stage.note(text);
  }
}

/**
 * A workspace whose node had no fault gets exactly its limit, however many instances and routes its leads take. While a
 * node cannot count, each host applies the limit by itself, so the others get at most that many for each.
 */
export async function judgeLimits(stage: Stage, { attempts }: Book): Promise<void> {
  const { faults } = stage.citus as CitusWorld;
  const stored = Map.groupBy(await readStored(stage.databaseUrl()), ({ workspaceId }) => workspaceId);
  for (const [workspaceId, leads] of stored) {
    const own = attempts.filter((attempt) => attempt.workspaceId === workspaceId);
    const isUnaffected = faults.every((fault) => own.every(fault.isUnaffected));
    const countMax = submissionsPerMinuteMax * (isUnaffected ? 1 : 1 + stage.instances.length);
    const counts = windowsOf(leads.map(({ receivedAt }) => receivedAt));
    const text = `${isUnaffected ? 'unaffected' : 'affected'} workspace, leads per window: ${counts.join(', ')}`;
    if (counts.some((count) => count > countMax)) stage.fault(text);
    else stage.note(text);
    // All windows but the last are complete, and senders always send more than the limit.
    if (isUnaffected && counts.slice(0, -1).some((count) => count < submissionsPerMinuteMax))
      stage.fault(text);
  }
}

/** How many leads each window has. A window starts with its first lead, so the next starts about a minute later. */
function windowsOf(times: readonly number[]): number[] {
  const counts: number[] = [];
  let startedAt = Number.NEGATIVE_INFINITY;
  for (const at of times.toSorted((a, b) => a - b)) {
    if (at > startedAt + windowMsMin) {
      counts.push(0);
      startedAt = at;
    }
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  return counts;
}

/** No instance stops sending leads to a node that has no fault. */
function judgeCircuits(stage: Stage): void {
  const { faults } = stage.citus as CitusWorld;
  for (const [number, route] of routes.entries()) {
    const instance = stage.instances[number];
    if (instance === undefined) continue;
    const openings = openingsIn(readFileSync(instance.logPath, 'utf8'));
    const wrong = openings.filter(({ at, node }) => {
      const fault = faults.findLast(({ from }) => from <= at);
      return !fault?.mayOpen(node, instance.port);
    });
    const text = `route ${route}: nodes were found unavailable ${openings.length} times, ${wrong.length} times without a fault of theirs`;
    if (wrong.length > 0) stage.miss(text);
    else stage.note(text);
  }
}

interface Opening {
  readonly at: number;
  readonly node: number;
}

function openingsIn(log: string): Opening[] {
  return [
    ...log.matchAll(/"time":"?([^",]+)"?,.*"msg":"Node [^" ]+:(\d+) (?:does not accept|is read-only)/g),
  ].map(([, at = '', node]) => ({
    at: Number(at) || Date.parse(at),
    node: Number(node),
  }));
}
