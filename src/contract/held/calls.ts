import {
  admitHeld,
  discardHeld,
  listHeldDecisions,
  readHeldDecision,
  startHeldAdmission,
  startHeldDiscard,
  stopHeldDecision,
  verifyHeld,
} from './decisions.ts';
import { listHeld, readHeld, readHeldSummary } from './held.ts';

export const heldCalls = [
  listHeld,
  readHeldSummary,
  startHeldAdmission,
  listHeldDecisions,
  readHeldDecision,
  stopHeldDecision,
  startHeldDiscard,
  verifyHeld,
  readHeld,
  admitHeld,
  discardHeld,
] as const;
