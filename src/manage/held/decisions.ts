import * as contract from '../../contract/held/decisions.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

const later = () => Promise.reject(new Problem('unavailable', 'Not yet.'));

export const heldDecisionRoutes = [
  route(contract.startHeldAdmission, later),
  route(contract.listHeldDecisions, later),
  route(contract.readHeldDecision, later),
  route(contract.stopHeldDecision, later),
  route(contract.startHeldDiscard, later),
  route(contract.verifyHeld, later),
  route(contract.admitHeld, later),
  route(contract.discardHeld, later),
];
