import type { HeldDryRun } from '../../contract/held/decisions.ts';
import { findDestinationNames } from '../../db/deliver/destinations.ts';
import { listSubscriptions } from '../../db/deliver/subscriptions.ts';
import { keyOf } from '../../db/held/decisions/admitted-leads.ts';
import type { ChosenHeld } from '../../db/held/decisions/chosen-held.ts';
import { postgresHeldDecisions } from '../../db/held/held-decision-database.ts';
import { isTwinTime } from '../../db/held/twins.ts';
import { type Verdict, verdicts } from '../../domain/score/score.ts';
import type { ManagementDeps } from '../deps.ts';
import { scoreHeld } from './score-held.ts';
import { findTwins, openAll, openedAtOnce, type Twins } from './twins.ts';

const scoredMax = 200;

const noVerdicts: Readonly<Record<Verdict, number>> = { clean: 0, suspect: 0, spam: 0 };

export interface DryRunOptions {
  readonly excludeTwins: boolean;
  readonly deliver: boolean;
}

/** What an admission of these would do. */
export async function dryRunAdmission(
  deps: ManagementDeps,
  workspaceId: string,
  chosen: readonly ChosenHeld[],
  { excludeTwins, deliver }: DryRunOptions,
): Promise<HeldDryRun> {
  const { keyed, equal } = await twinsAmong(deps, workspaceId, chosen);
  const isLeftOut = ({ id }: ChosenHeld) => keyed.has(id) || (excludeTwins && equal.has(id));
  const admitted = chosen.filter((one) => !isLeftOut(one));
  return {
    count: admitted.length,
    twins: keyed.union(equal).size,
    verdicts: await predicted(deps, workspaceId, admitted),
    destinations: deliver ? await destinationsOf(deps, workspaceId, admitted) : [],
  };
}

/** What discarding these would do. */
export async function dryRunDiscard(
  deps: ManagementDeps,
  workspaceId: string,
  chosen: readonly ChosenHeld[],
): Promise<HeldDryRun> {
  const { keyed, equal } = await twinsAmong(deps, workspaceId, chosen);
  const twins = keyed.union(equal).size;
  return { count: chosen.length, twins, verdicts: { ...noVerdicts }, destinations: [] };
}

/** Copies of leads, and of requests among these that arrived earlier and would be leads by then. */
async function twinsAmong(
  deps: ManagementDeps,
  workspaceId: string,
  chosen: readonly ChosenHeld[],
): Promise<Record<keyof Twins, Set<string>>> {
  const found = await findTwins(deps, workspaceId, chosen);
  const keyed = new Set(found.keyed.keys());
  const equal = new Set(found.equal.keys());
  const before = new Map<string, ChosenHeld[]>();
  for (const one of chosen) {
    if (keyed.has(one.id) || equal.has(one.id)) continue;
    const key = keyOf(one)?.toString('hex') ?? '';
    // Rows of an earlier version have no hash.
    const content = one.bodyHash.length === 0 ? '' : `${one.formId} ${one.bodyHash.toString('hex')}`;
    if (before.has(key)) keyed.add(one.id);
    else if (before.get(content)?.some((other) => isTwinTime(other.receivedAt, one.receivedAt)))
      equal.add(one.id);
    else
      for (const name of [key, content])
        if (name !== '') before.set(name, [...(before.get(name) ?? []), one]);
  }
  return { keyed, equal };
}

/** Of the newest, scaled to all. */
async function predicted(
  deps: ManagementDeps,
  workspaceId: string,
  admitted: readonly ChosenHeld[],
): Promise<Record<Verdict, number>> {
  const newest = admitted.slice(-scoredMax);
  const seen = { ...noVerdicts };
  const withDatabase = { ...deps, database: postgresHeldDecisions(deps.pool) };
  for (let start = 0; start < newest.length; start += openedAtOnce) {
    const opened = await openAll(deps, workspaceId, newest.slice(start, start + openedAtOnce));
    for (const { score } of (await scoreHeld(withDatabase, workspaceId, opened)).values())
      seen[score.verdict]++;
  }
  const all = verdicts.reduce((sum, verdict) => sum + seen[verdict], 0);
  if (all === 0) return seen;
  const scaled = verdicts.map((verdict): [Verdict, number] => [
    verdict,
    Math.round((seen[verdict] * admitted.length) / all),
  ]);
  return Object.fromEntries(scaled) as Record<Verdict, number>;
}

async function destinationsOf(
  { pool }: ManagementDeps,
  workspaceId: string,
  admitted: readonly ChosenHeld[],
): Promise<HeldDryRun['destinations']> {
  const formIds = new Set(admitted.map(({ formId }) => formId));
  if (formIds.size === 0) return [];
  const told = (await listSubscriptions(pool, [workspaceId])).filter(
    ({ events, formIds: wanted }) =>
      (events.includes('lead.accepted') || events.includes('lead.released')) &&
      (wanted === null || wanted.some((id) => formIds.has(id))),
  );
  const ids = told.map(({ id }) => id);
  const names = await findDestinationNames(pool, workspaceId, ids);
  return ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : { id, name };
  });
}
