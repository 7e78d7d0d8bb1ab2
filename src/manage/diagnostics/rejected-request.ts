import type { RejectedRequest } from '../../contract/diagnostics/rejected-request.ts';
import * as contract from '../../contract/diagnostics/rejected-request.ts';
import { findBrowserSettings } from '../../db/browser/browser-settings.ts';
import type { RejectionRecord } from '../../db/diagnostics/diagnostics.ts';
import { countLike, findRejection } from '../../db/diagnostics/rejected-request.ts';
import { findForm } from '../../db/forms/forms.ts';
import { findToken } from '../../db/forms/tokens.ts';
import { findHeld, type WholeHeld } from '../../db/held/held-list.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { canDryRun, isAdmissible } from '../../domain/held/held-class.ts';
import { rejectionSentence } from '../../domain/rejection/sentences.ts';
import { describeReason } from '../../domain/rejection.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { viewRejection } from './diagnostics.ts';
import { dryRunRejected } from './dry-run.ts';
import { whatWasKept } from './what-was-kept.ts';

export const rejectedRequestRoutes = [
  route(contract.readRejectedRequest, async ({ params }, deps) => {
    const { workspace_id: workspaceId, rejection_id: id } = params;
    const { rejection, held } = await findBoth(deps, workspaceId, id);
    return view(deps, workspaceId, rejection, held);
  }),
  route(contract.dryRunRejectedRequest, async ({ params }, deps) => {
    const { workspace_id: workspaceId, rejection_id: id } = params;
    const { held } = await findBoth(deps, workspaceId, id);
    if (held === null || !isDryRunnable(held))
      throw new Problem(
        'request_not_kept',
        'A dry run needs the bytes of a request whose sender was authenticated, and that was not rejected for a token, a signature or a limit.',
      );
    return dryRunRejected(deps, workspaceId, held);
  }),
];

interface Found {
  readonly rejection: RejectionRecord;
  readonly held: WholeHeld | null;
}

/** Of a flood, some are held that have no entry. */
async function findBoth({ pool, clock }: ManagementDeps, workspaceId: string, id: string): Promise<Found> {
  const [entry, held] = await Promise.all([
    findRejection(pool, workspaceId, id),
    findHeld(pool, workspaceId, id, new Date(clock.now())),
  ]);
  const rejection = entry ?? (held && { ...held, at: held.receivedAt, detail: {} });
  if (rejection === null) throw notFound('rejected request');
  return { rejection, held };
}

const isDryRunnable = (held: WholeHeld) => held.state === 'held' && canDryRun(held.reason, held.class);

async function view(
  { pool, clock, keepsRejected }: ManagementDeps,
  workspaceId: string,
  rejection: RejectionRecord,
  held: WholeHeld | null,
): Promise<RejectedRequest> {
  const { formId, tokenId, detail } = rejection;
  const now = new Date(clock.now());
  const [form, token, workspace, occurrences, browser] = await Promise.all([
    formId === null ? null : findForm(pool, workspaceId, formId),
    tokenId === null ? null : findToken(pool, workspaceId, tokenId),
    findWorkspace(pool, workspaceId),
    countLike(pool, workspaceId, rejection, now),
    detail.no_script === true && formId !== null ? findBrowserSettings(pool, workspaceId, formId) : null,
  ]);
  const { text, fix, anchor } = describeReason(rejection.reason);
  const isHeld = held?.state === 'held';
  return {
    ...viewRejection({ ...rejection, isHeld }),
    sentence: rejectionSentence(rejection.reason, { detail, form: form?.name, token: token?.name }),
    text,
    fix,
    docs_path: `/docs/rejection-reasons#${anchor}`,
    form_name: form?.name ?? null,
    token_name: token?.name ?? null,
    ...whatWasKept({
      rejection,
      held,
      isOn: keepsRejected,
      heldDays: workspace?.heldDays ?? 0,
      formKeeps: form?.keepsRejected ?? true,
      now,
    }),
    is_admissible: isHeld && isAdmissible(held),
    can_dry_run: held !== null && isDryRunnable(held),
    occurrences: {
      last_24_hours: occurrences.lastDay,
      last_7_days: occurrences.lastWeek,
      last_at: occurrences.lastAt?.toISOString() ?? null,
    },
    response: responseOf(rejection, browser?.thanksUrl ?? null),
  };
}

/** As http/answers.ts writes it. A form without script got the page of its owner instead. */
function responseOf(
  { requestId, detail }: RejectionRecord,
  thanksUrl: string | null,
): RejectedRequest['response'] {
  const id = { name: 'X-Request-Id', value: requestId };
  if (detail.no_script === true && thanksUrl !== null)
    return { status: 303, headers: [{ name: 'Location', value: thanksUrl }, id], body: '' };
  const isRefused = detail.no_script === true;
  return {
    status: isRefused ? 403 : 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }, id],
    body: isRefused ? '{"status":"refused"}' : '{"status":"rejected"}',
  };
}
