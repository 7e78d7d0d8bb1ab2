import * as decisions from '../../contract/held/decisions.ts';
import * as contract from '../../contract/held/held.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

const later = () => Promise.reject(new Problem('unavailable', 'Not yet.'));

export const heldRoutes = [
  route(contract.listHeld, later),
  route(contract.readHeldSummary, later),
  route(contract.readHeld, later),
  route(decisions.discardHeld, later),
];

export const heldDecisionRoutes = [
  route(decisions.startHeldAdmission, later),
  route(decisions.listHeldDecisions, later),
  route(decisions.readHeldDecision, later),
  route(decisions.stopHeldDecision, later),
  route(decisions.startHeldDiscard, later),
  route(decisions.verifyHeld, later),
  route(decisions.admitHeld, later),
];
