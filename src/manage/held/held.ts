import * as contract from '../../contract/held/held.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

const later = () => Promise.reject(new Problem('unavailable', 'Not yet.'));

export const heldRoutes = [
  route(contract.listHeld, later),
  route(contract.readHeldSummary, later),
  route(contract.readHeld, later),
];
