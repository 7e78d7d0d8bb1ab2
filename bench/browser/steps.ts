import { randomUUID } from 'node:crypto';
import type { Instance } from '../../chaos/world/instance.ts';
import { createStranger } from '../../chaos/world/target.ts';
import { leadBody } from '../load/lead.ts';
import { askForChallenge, askForToken, networkOf, openPage, sendLead } from './visit.ts';

const visits = 600;
const warmUpVisits = 50;

/** Milliseconds of challenge, token and submission together, without the work, one visit after the other. */
export async function measureSteps({ port }: Instance): Promise<readonly number[]> {
  const page = await openPage(port, await createStranger(port), 'none');
  const took: number[] = [];
  for (let number = 0; number < visits; number++) {
    const body = JSON.stringify({ ...JSON.parse(leadBody(number)), id: randomUUID() });
    const network = networkOf(Math.floor(number / 10));
    const startedAt = performance.now();
    const puzzle = await askForChallenge(page, body, network);
    const token = await askForToken(page, puzzle, '0', network);
    const status = await sendLead(page, token, body);
    if (status !== 202) throw new Error(`a lead was answered with ${status}`);
    if (number >= warmUpVisits) took.push(performance.now() - startedAt);
  }
  return took.toSorted((a, b) => a - b);
}
