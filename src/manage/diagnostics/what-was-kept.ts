import type { RejectedRequest } from '../../contract/diagnostics/rejected-request.ts';
import type { RejectionRecord } from '../../db/diagnostics/diagnostics.ts';
import type { HeldRecord } from '../../db/held/held-list.ts';
import { unprovenKeptDays, unprovenRoom } from '../../domain/held/held-bounds.ts';
import { heldClassOf } from '../../domain/held/held-class.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import { dayMs } from '../../time/clock.ts';

interface KeepingFacts {
  readonly rejection: Pick<RejectionRecord, 'reason' | 'at'>;
  readonly held: HeldRecord | null;
  /** The present settings of the operator, the workspace and the form. */
  readonly isOn: boolean;
  readonly heldDays: number;
  readonly formKeeps: boolean;
  readonly now: Date;
}

/** What became of the content of a rejected request, and why nothing was kept. */
export function whatWasKept(facts: KeepingFacts): Pick<RejectedRequest, 'kept' | 'kept_text'> {
  const { held } = facts;
  if (held === null) return { kept: 'not_kept', kept_text: whyNotKept(facts) };
  if (held.state !== 'held')
    return { kept: held.state, kept_text: `Its content was deleted here when it was ${held.state}.` };
  return { kept: 'held', kept_text: `It is held until ${dayOf(held.expiresAt)}.` };
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Nothing is known of a request that was not kept, so the present settings have to explain it. */
function whyNotKept({ rejection, isOn, heldDays, formKeeps, now }: KeepingFacts): string {
  const reason = rejection.reason as RejectionReason;
  const [proven, unproven] = [heldClassOf(reason, true), heldClassOf(reason, false)];
  if (reason === 'body_too_large')
    return 'Nothing was kept: the body is larger than what is accepted or kept.';
  if (proven === null && unproven === null)
    return 'Nothing was kept: anyone can send requests that are rejected for this reason, so only the rejection is recorded.';
  if (!isOn) return 'Nothing was kept: the operator has turned off keeping rejected requests.';
  if (heldDays === 0) return 'Nothing was kept: this workspace keeps no rejected requests.';
  if (!formKeeps) return 'Nothing was kept: the form keeps no rejected requests.';
  const days = proven === null ? Math.min(heldDays, unprovenKeptDays) : heldDays;
  if (now.getTime() - rejection.at.getTime() > days * dayMs)
    return `Its content was deleted after ${days} days.`;
  if (proven === null)
    return `Nothing is kept now: of requests whose sender is not authenticated, only the newest ${unprovenRoom.rows} of a workspace are held, for ${unprovenKeptDays} days at most.`;
  return 'Nothing was kept: its sender was not authenticated, another copy is held, its lead was erased, or there was no space.';
}
