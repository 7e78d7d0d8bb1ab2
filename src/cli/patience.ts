import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './exit.ts';
import type { Output } from './output.ts';

export interface PatienceOptions {
  readonly pauseMs: number;
  /** Called after each request that got no response. */
  readonly onTrouble?: () => void;
}

/** Repeats a request while the service does not respond, for example because it restarts, and says so once. */
export async function untilReachable<T>(
  ask: () => Promise<T>,
  out: Output,
  { pauseMs, onTrouble }: PatienceOptions,
): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CliError) || error.reason !== 'unreachable') throw error;
      onTrouble?.();
      if (!isTold) out.note(`${error.message} Waiting for it.`);
      await sleep(pauseMs);
    }
  }
}
