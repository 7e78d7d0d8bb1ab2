import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../time/random.ts';
import { makeLead } from './lead-maker.ts';
import { mishaps } from './mishaps.ts';
import type { DemoSender } from './sender.ts';
import type { Stage } from './stage.ts';

const leadsPerSecond = 0.3;
const mishapShare = 0.15;

/** Sends a lead every few seconds while the service runs, and from time to time one that is rejected. */
export async function trickle(
  stages: readonly Stage[],
  sender: DemoSender,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const open = stages.filter(({ form }) => form.endedDaysAgo === undefined);
  while (!signal.aborted) {
    await sleep(random.waitMs(leadsPerSecond), undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    const stage = random.pick(open);
    const send = random.chance(mishapShare)
      ? random.pick(Object.values(mishaps))(sender, stage)
      : sender.byToken(stage, JSON.stringify(makeLead(stage.form, random)));
    // The service may stop in between, which is not an error.
    await send.catch(() => {});
  }
}
