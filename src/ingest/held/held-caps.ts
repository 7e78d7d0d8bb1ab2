import { noLeadPerHour, noScriptPerHour, unprovenPerMinute } from '../../domain/held/held-bounds.ts';
import type { HeldClass } from '../../domain/held/held-class.ts';
import { hourMs, minuteMs } from '../../time/clock.ts';
import type { Wish } from '../outcomes/host-caps.ts';

/** What a limit counts. */
interface Counted {
  readonly class: HeldClass;
  readonly workspaceId: string;
  readonly formId: string;
  /** True for a form without script: anyone can send one. */
  readonly isNoScript?: boolean | undefined;
  readonly at: number;
}

interface Limit {
  readonly name: string;
  readonly max: number;
  readonly periodMs: number;
}

/**
 * Per workspace, not per form, for what anyone can send: creating more forms does not raise the limit. What is proven and may
 * become a lead has no limit but room, except for forms without script, which must leave that room to others.
 */
function limitOf({ class: kind, workspaceId, formId, isNoScript }: Counted): Limit | null {
  if (kind === 'D') return { name: `${workspaceId} held D`, max: unprovenPerMinute, periodMs: minuteMs };
  if (kind === 'C') return { name: `${formId} held C`, max: noLeadPerHour, periodMs: hourMs };
  return isNoScript ? { name: `${formId} held no script`, max: noScriptPerHour, periodMs: hourMs } : null;
}

/** Limits of this process. */
export class HeldCaps {
  #hour = 0;
  #counts = new Map<string, { period: number; count: number }>();

  take(counted: Counted): boolean {
    const limit = limitOf(counted);
    if (limit === null) return true;
    const hour = Math.floor(counted.at / hourMs);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#counts = new Map();
    }
    const period = Math.floor(counted.at / limit.periodMs);
    const taken = this.#counts.get(limit.name);
    if (taken?.period !== period) this.#counts.set(limit.name, { period, count: 1 });
    else if (taken.count >= limit.max) return false;
    else taken.count++;
    return true;
  }
}

/** The same limits for all processes of the host; null if there is none. */
export function heldWish(counted: Counted): Wish | null {
  const limit = limitOf(counted);
  if (limit === null) return null;
  const { name, max, periodMs } = limit;
  return [[`${name} ${Math.floor(counted.at / periodMs)}`, max]];
}
