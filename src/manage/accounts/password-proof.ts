import { asksForPassword, type CallDeclaration } from '../../contract/call.ts';
import { minuteMs } from '../../time/clock.ts';
import type { Principal } from '../calls/access.ts';
import { Problem } from '../calls/problem.ts';

const proofMsMax = 10 * minuteMs;

/** A cookie alone must not be enough for a secret: whoever steals one, or finds an open browser, does not have the password. */
export function requirePasswordProof(call: CallDeclaration, principal: Principal, now: number): void {
  if (!asksForPassword(call) || principal.kind !== 'person') return;
  const provedAt = principal.session?.passwordAt;
  // A proof from the future was made before the clock was set back.
  if (provedAt !== undefined && Math.abs(now - provedAt) < proofMsMax) return;
  throw new Problem(
    'password_needed',
    'Confirm your password to continue: it was last entered more than 10 minutes ago.',
  );
}
