import { z } from 'zod';
import { verdicts } from '../../domain/score/score.ts';
import { call, json, none } from '../call.ts';
import { id, strict, time } from '../shape.ts';
import { heldFilter } from './held.ts';

const count = z.int().min(0);
const idsMax = 1_000;

const selection = {
  ids: z.array(id).min(1).max(idsMax).optional(),
  ...heldFilter,
};

const newAdmission = strict({
  ...selection,
  exclude_twins: z.boolean().default(true).describe('Leave out those of which there is an equal lead.'),
  deliver: z.boolean().default(true).describe('Whether destinations get the leads.'),
  dry_run: z.boolean().default(false).describe('Only count them.'),
}).meta({ id: 'NewHeldAdmission' });

const newDiscard = strict({
  ...selection,
  dry_run: z.boolean().default(false).describe('Only count them.'),
}).meta({ id: 'NewHeldDiscard' });

const dryRun = z
  .object({
    count: count.describe('How many would be decided, without twins that are left out.'),
    twins: count.describe('Of how many in the selection there is an equal lead.'),
    verdicts: z
      .record(z.enum(verdicts), count)
      .describe('How the present settings would judge them: of the newest 200, scaled to all.'),
    destinations: z
      .array(z.object({ id, name: z.string() }))
      .describe('Which destinations get new leads of these forms, if their filters match.'),
  })
  .meta({ id: 'HeldDryRun' });

const started = z.object({ id }).meta({ id: 'StartedHeldDecision' });

const decision = z
  .object({
    id,
    kind: z.enum(['admission', 'discard']),
    state: z.enum(['running', 'stopped', 'finished']),
    total: count,
    done: count,
    decided: count.describe('Of those done; the others are twins, or were decided or expired meanwhile.'),
    created_at: time,
    created_by: z.string(),
  })
  .meta({ id: 'HeldDecision' });

export type HeldDryRun = z.output<typeof dryRun>;
export type HeldDecision = z.output<typeof decision>;

const tag = 'Held submissions';
const mayDecide = { by: 'owner', scope: 'held:decide' } as const;

export const startHeldAdmission = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/admissions',
  tag,
  summary: 'Admit a selection of held submissions',
  description: [
    'Count them with `dry_run` first. They become leads in the background, the oldest 20,000 of the selection at most, 200 a second, each',
    'exactly once. Only those that are admissible are selected. One with the idempotency key of a lead is never admitted.',
    'While the same selection is in progress, the same request returns it. If the workspace is suspended, it stops.',
    'With `dry_run` the response is 200 with the counts.',
  ].join(' '),
  access: mayDecide,
  audited: ['ids', 'reason', 'form_id', 'class', 'exclude_twins', 'deliver', 'dry_run'],
  expensive: 'call',
  body: newAdmission,
  answer: json(202, started),
  otherAnswer: json(200, dryRun),
  problems: ['suspended', 'quota_reached'],
});

export const listHeldDecisions = call({
  method: 'get',
  path: '/workspaces/:workspace_id/held/admissions',
  tag,
  summary: 'List the admissions and discards of selections',
  description: 'The newest 20.',
  access: mayDecide,
  answer: json(200, z.object({ items: z.array(decision) }).meta({ id: 'HeldDecisions' })),
});

export const readHeldDecision = call({
  method: 'get',
  path: '/workspaces/:workspace_id/held/admissions/:decision_id',
  tag,
  summary: 'Read the progress of an admission or discard',
  access: mayDecide,
  answer: json(200, decision),
});

export const stopHeldDecision = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/admissions/:decision_id/stop',
  tag,
  summary: 'Stop an admission or discard',
  description: 'What it has done stays done.',
  access: mayDecide,
  answer: none,
});

export const startHeldDiscard = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/discards',
  tag,
  summary: 'Discard a selection of held submissions',
  description:
    'Their content is deleted, in the background, of the oldest 20,000 at most. With `dry_run` the response is 200 with the counts.',
  access: mayDecide,
  audited: ['ids', 'reason', 'form_id', 'class', 'dry_run'],
  expensive: 'call',
  body: newDiscard,
  answer: json(202, started),
  otherAnswer: json(200, dryRun),
  problems: ['quota_reached'],
});

export const verifyHeld = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/re-verification',
  tag,
  summary: 'Check held signatures again',
  description: [
    'Checks the signatures of held requests to a form with the secret that it has now. Those that are right can be admitted.',
    'This also happens whenever a secret is set.',
  ].join(' '),
  access: mayDecide,
  audited: ['form_id'],
  expensive: 'call',
  body: strict({ form_id: id }).meta({ id: 'HeldReverification' }),
  answer: json(
    200,
    z
      .object({
        verified: count.describe('How many of the form are proven this way, new ones and earlier ones.'),
      })
      .meta({
        id: 'HeldVerified',
      }),
  ),
});

export const admitHeld = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/:held_id/admission',
  tag,
  summary: 'Admit a held submission',
  description: 'It becomes a lead, with the time at which it arrived. Again, the same lead is returned.',
  access: mayDecide,
  audited: ['exclude_twins', 'deliver'],
  body: strict({
    exclude_twins: z.boolean().default(true).describe('False to admit it although there is an equal lead.'),
    deliver: z.boolean().default(true).describe('Whether destinations get the lead.'),
  }).meta({ id: 'HeldAdmission' }),
  answer: json(201, z.object({ submission_id: id }).meta({ id: 'AdmittedLead' })),
  problems: ['twin', 'not_admissible', 'suspended', 'unreadable', 'decided'],
});

export const discardHeld = call({
  method: 'post',
  path: '/workspaces/:workspace_id/held/:held_id/discard',
  tag,
  summary: 'Discard a held submission',
  description: 'Its content is deleted.',
  access: mayDecide,
  answer: none,
  problems: ['decided'],
});
