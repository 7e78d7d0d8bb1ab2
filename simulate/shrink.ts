import type { Finding } from './finding.ts';
import type { Act, Plan } from './plan.ts';
import { type Result, runPlan } from './run.ts';

const runsMax = 400;

/**
 * Finds a shorter plan that still breaks the same promise. It leaves out acts, in large pieces first and one by one at the
 * end, as long as the finding remains.
 */
export async function shrink(found: Result, run = runPlan): Promise<Result> {
  const kind = (found.findings[0] as Finding).kind;
  let best = found;
  let runs = 0;
  const tryActs = async (acts: readonly Act[]): Promise<boolean> => {
    if (runs++ >= runsMax) return false;
    const result = await run({ ...best.plan, acts });
    if (!result.findings.some((finding) => finding.kind === kind)) return false;
    best = result;
    return true;
  };
  for (let size = Math.ceil(best.plan.acts.length / 2); size >= 1 && runs < runsMax; ) {
    let isShorter = false;
    for (let from = 0; from < best.plan.acts.length; ) {
      const { acts } = best.plan;
      if (await tryActs([...acts.slice(0, from), ...acts.slice(from + size)])) isShorter = true;
      else from += size;
    }
    if (size > 1) size = Math.floor(size / 2);
    else if (!isShorter) break;
  }
  return run(await simpler(best.plan, kind, run), true);
}

/** Also removes other details that the finding does not need. */
async function simpler(plan: Plan, kind: Finding['kind'], run: typeof runPlan): Promise<Plan> {
  let best = plan;
  for (const change of [{ cluster: null }, { laneCount: 1 }, { spoolBytesMax: 2 ** 26 }]) {
    const { findings } = await run({ ...best, ...change });
    if (findings.some((finding) => finding.kind === kind)) best = { ...best, ...change };
  }
  return best;
}
