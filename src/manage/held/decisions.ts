import * as contract from '../../contract/held/decisions.ts';
import { findForm } from '../../db/forms/forms.ts';
import type { AdmissionOutcome } from '../../db/held/admission.ts';
import { discardRows } from '../../db/held/decisions/discard.ts';
import {
  findHeldDecision,
  type HeldDecisionRecord,
  listHeldDecisions,
  stopHeldDecision,
} from '../../db/held/decisions/held-decisions.ts';
import { postgresHeldDecisions } from '../../db/held/held-decision-database.ts';
import { nameOf } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { OtherResult, route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { type AdmissionChoices, admit } from './admit.ts';
import { dryRunAdmission, dryRunDiscard } from './dry-run.ts';
import { verifyHeld } from './re-verification.ts';
import { chosenNow } from './selection.ts';
import { startDecision } from './start-decision.ts';

const decisionsListed = 20;

export const heldDecisionRoutes = [
  route(contract.startHeldAdmission, async ({ params: { workspace_id }, body, principal }, deps) => {
    const { exclude_twins, deliver, dry_run, ...selection } = body;
    if (!dry_run) {
      const stored = { ...selection, exclude_twins };
      const wanted = { kind: 'admission', selection: stored, deliver, by: nameOf(principal) } as const;
      return startDecision(deps, workspace_id, wanted);
    }
    const chosen = await chosenNow(deps, workspace_id, 'admission', selection);
    const options = { excludeTwins: exclude_twins, deliver };
    return new OtherResult(await dryRunAdmission(deps, workspace_id, chosen, options));
  }),
  route(contract.listHeldDecisions, async ({ params }, { pool }) => ({
    items: (await listHeldDecisions(pool, params.workspace_id, decisionsListed)).map(viewDecision),
  })),
  route(contract.readHeldDecision, async ({ params: { workspace_id, decision_id } }, { pool }) =>
    viewDecision((await findHeldDecision(pool, workspace_id, decision_id)) ?? missingDecision()),
  ),
  route(contract.stopHeldDecision, async ({ params: { workspace_id, decision_id } }, { pool, clock }) => {
    if ((await findHeldDecision(pool, workspace_id, decision_id)) === null) missingDecision();
    await stopHeldDecision(pool, workspace_id, decision_id, new Date(clock.now()));
  }),
  route(contract.startHeldDiscard, async ({ params: { workspace_id }, body, principal }, deps) => {
    const { dry_run, ...selection } = body;
    if (!dry_run) {
      const wanted = { kind: 'discard', selection, deliver: false, by: nameOf(principal) } as const;
      return startDecision(deps, workspace_id, wanted);
    }
    const chosen = await chosenNow(deps, workspace_id, 'discard', selection);
    return new OtherResult(await dryRunDiscard(deps, workspace_id, chosen));
  }),
  route(contract.verifyHeld, async ({ params: { workspace_id }, body: { form_id } }, deps) => {
    if ((await findForm(deps.pool, workspace_id, form_id)) === null) throw notFound('form');
    return { verified: await verifyHeld(deps, workspace_id, form_id) };
  }),
  route(contract.admitHeld, ({ params: { workspace_id, held_id }, body, principal }, deps) =>
    admitOne(deps, workspace_id, held_id, {
      by: nameOf(principal),
      deliver: body.deliver,
      excludeTwins: body.exclude_twins,
      decisionId: null,
    }),
  ),
  route(contract.discardHeld, async ({ params: { workspace_id, held_id }, principal }, { pool, clock }) => {
    const discard = { at: new Date(clock.now()), by: nameOf(principal), decisionId: null };
    const outcome = (await discardRows(pool, workspace_id, [held_id], discard)).get(held_id);
    if (outcome === undefined) throw missingHeld();
    if (outcome === 'decided') throw new Problem('decided', 'It was admitted or discarded before.');
  }),
];

async function admitOne(
  deps: ManagementDeps,
  workspaceId: string,
  id: string,
  choices: AdmissionChoices,
): Promise<{ submission_id: string }> {
  const withDatabase = { ...deps, database: postgresHeldDecisions(deps.pool) };
  const outcome = (await admit(withDatabase, workspaceId, [id], choices)).get(id) ?? { kind: 'missing' };
  if (outcome.kind !== 'admitted') throw refusal(outcome);
  return { submission_id: outcome.submissionId };
}

const refusals = {
  not_admissible:
    'Only a request whose sender is proven, and whose body is a JSON object, can become a lead of a form that exists.',
  suspended: 'Nothing can be admitted while the workspace is suspended.',
  unreadable:
    'It was encrypted with a key that the service does not have. Ask the operator to restore the key.',
  decided: 'It was discarded, or its lead was erased.',
} as const;

function refusal(outcome: Exclude<AdmissionOutcome, { readonly kind: 'admitted' }>): Problem {
  if (outcome.kind === 'missing') return missingHeld();
  if (outcome.kind === 'twin') return new Problem('twin', `The lead ${outcome.of} is the same.`);
  return new Problem(outcome.kind, refusals[outcome.kind]);
}

function missingHeld(): Problem {
  return notFound('held submission');
}

function missingDecision(): never {
  throw notFound('admission or discard');
}

function viewDecision(decision: HeldDecisionRecord): contract.HeldDecision {
  const { id, kind, total, done, decided, createdAt, createdBy, stoppedAt, finishedAt } = decision;
  const ended = stoppedAt === null ? 'finished' : 'stopped';
  return {
    id,
    kind,
    state: finishedAt === null ? 'running' : ended,
    total,
    done,
    decided,
    created_at: createdAt.toISOString(),
    created_by: createdBy,
  };
}
