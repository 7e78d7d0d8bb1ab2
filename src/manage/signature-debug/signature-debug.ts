import * as contract from '../../contract/signature-debug.ts';
import { findForm } from '../../db/forms/forms.ts';
import { type DebugInput, debugSteps, type SignatureDebug } from '../../domain/signature-debug/debug.ts';
import { type Clock, minuteMs, secondMs } from '../../time/clock.ts';
import { requireScope } from '../api-keys/authentication.ts';
import { nameOf } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { debugSecrets } from './secrets.ts';
import { debugSubject } from './subject.ts';
import { viewSignatureDebug } from './view.ts';

export const signatureDebugRoutes = [
  route(contract.debugSignature, async ({ params, body, principal }, deps) => {
    const { workspace_id: workspaceId, form_id: formId } = params;
    const form = await findForm(deps.pool, workspaceId, formId);
    if (form === null) throw notFound('form');
    if (body.rejection_id !== undefined) requireScope(principal, 'leads:read');
    requireRate(deps, formId);
    const subject = await debugSubject(deps, workspaceId, formId, body);
    const secrets = await debugSecrets(deps, form, subject, body.try_secret);
    const { headerPrefix } = deps;
    const { request, at } = subject;
    const found = await inTurns({ request, secrets, at, headerPrefix, slug: form.slug }, deps.clock);
    // Log who debugged which request, but never its body, signature or secret.
    deps.log.info(
      {
        event: 'signature_debug',
        by: nameOf(principal),
        workspace_id: workspaceId,
        form_id: formId,
        source: subject.source,
        rejection_id: body.rejection_id,
        valid: found.isValid,
        mistakes: found.findings.map(({ code }) => code),
      },
      'signature debugger used',
    );
    return viewSignatureDebug(found, subject, secrets, headerPrefix);
  }),
];

/** A search takes some CPU time; leads that arrive during it are served between its steps. */
async function inTurns(input: DebugInput, clock: Clock): Promise<SignatureDebug> {
  const steps = debugSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await clock.turn();
  }
}

function requireRate({ signatureDebugRate, clock }: ManagementDeps, formId: string): void {
  const now = clock.now();
  if (signatureDebugRate.take(formId, now)) return;
  const waitSeconds = Math.ceil((minuteMs - (now % minuteMs)) / secondMs);
  throw new Problem(
    'too_many_calls',
    `Wait ${waitSeconds} s before you debug another request of this form.`,
    {
      headers: { 'retry-after': String(waitSeconds) },
    },
  );
}
