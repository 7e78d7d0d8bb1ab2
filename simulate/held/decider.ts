import { pino } from 'pino';
import type { AdmissionOutcome } from '../../src/db/held/admission.ts';
import { parseLead } from '../../src/domain/lead/lead.ts';
import type { Score } from '../../src/domain/score/score.ts';
import type { ManagementDeps, Scoring } from '../../src/manage/deps.ts';
import { type AdmissionChoices, type AdmitDeps, admit } from '../../src/manage/held/admit.ts';
import { HeldDecisions } from '../../src/manage/held/decision-loop.ts';
import type { Asking } from '../database/deliver/deliver-client.ts';
import { heldDecisionsOf } from '../database/held/held-decision-client.ts';

const log = pino({ level: 'silent' });
const score: Score = {
  ...{ score: 50, risk: 0, grade: 'C', verdict: 'clean', fit: 0, intent: 0 },
  ...{ reasons: [], merits: [], ruleset: 'simulated' },
};

/** Without a thread: every lead is clean. */
const scoring: Scoring = {
  ask: async ({ leads }) =>
    leads.map(({ body }) => {
      const lead = parseLead(Buffer.from(body));
      return typeof lead === 'string'
        ? { projection: null, score: null }
        : { projection: lead.projection, score };
    }),
};

/** What one process does for owners of rejected requests: the real admission, on the simulated database. */
export class Decider {
  readonly #deps: AdmitDeps;
  readonly #decisions: HeldDecisions;

  constructor(
    asking: Asking,
    { submissionIds, secretBox }: Pick<ManagementDeps, 'submissionIds' | 'secretBox'>,
  ) {
    const database = heldDecisionsOf(asking);
    this.#deps = { database, clock: asking.life, submissionIds, secretBox, scoring, log };
    this.#decisions = new HeldDecisions({ ...this.#deps, isBusy: () => false });
  }

  start(): void {
    this.#decisions.start();
  }

  stop(): Promise<void> {
    return this.#decisions.stop();
  }

  admit(
    workspaceId: string,
    id: string,
    choices: AdmissionChoices,
  ): Promise<ReadonlyMap<string, AdmissionOutcome>> {
    return admit(this.#deps, workspaceId, [id], choices);
  }

  discard(workspaceId: string, id: string, by: string): Promise<unknown> {
    const { database, clock } = this.#deps;
    return database.discard(workspaceId, [id], { at: new Date(clock.now()), by, decisionId: null });
  }
}
