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
const minuteMs = 60_000;

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

/** No workspace has more leads in a minute than its limit, whatever happened to its node. */
export async function judgeMinutes(stage: Stage): Promise<void> {
  const stored = await readStored(stage.databaseUrl());
  const minutes = Map.groupBy(
    stored,
    ({ workspaceId, receivedAt }) => `${workspaceId} ${Math.floor(receivedAt / minuteMs)}`,
  );
  const counts = [...minutes.values()].map(({ length }) => length).toSorted((a, b) => b - a);
  stage.note(`leads per workspace and minute: ${counts.join(', ')}`);
  const over = counts.filter((count) => count > submissionsPerMinuteMax);
  if (over.length > 0)
    stage.fault(
      `${over.length} times more than ${submissionsPerMinuteMax} leads in a minute: ${over.join(', ')}`,
    );
  if (!counts.includes(submissionsPerMinuteMax)) stage.fault('no workspace reached its limit');
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
