import type { FormActivity } from '../../contract/forms/activity.ts';
import * as contract from '../../contract/forms.ts';
import { countOutcomesByForm } from '../../db/diagnostics/form-outcomes.ts';
import { listLastLeads } from '../../db/forms/form-uses.ts';
import { listFormIds } from '../../db/forms/forms.ts';
import { type RejectionCategory, type RejectionReason, rejectionCategory } from '../../domain/rejection.ts';
import { dayMs } from '../../time/clock.ts';
import { route } from '../calls/route.ts';

export const formActivityRoutes = [
  route(contract.readFormActivity, async ({ params, role }, { pool, clock }): Promise<FormActivity> => {
    const workspaceId = params.workspace_id;
    const formIds = await listFormIds(pool, workspaceId);
    // One after the other, so that no lead is counted whose time is missing. Both are written together.
    const counts = await countOutcomesByForm(pool, workspaceId, new Date(clock.now() - dayMs));
    const lastLeads = await listLastLeads(pool, formIds);
    const byForm = Map.groupBy(counts, ({ formId }) => formId);
    const isOwner = role === 'owner';
    const items = formIds.map((formId) => {
      const total = (category: ReturnType<typeof categoryOf>) =>
        (byForm.get(formId) ?? [])
          .filter(({ outcome }) => categoryOf(outcome) === category)
          .reduce((sum, { count }) => sum + count, 0);
      return {
        form_id: formId,
        last_lead_at: lastLeads.get(formId)?.toISOString() ?? null,
        leads_24h: total('accepted'),
        rejected_24h: isOwner ? total('other') : null,
        rate_limited_24h: isOwner ? total('rate_limit') : null,
      };
    });
    return { items };
  }),
];

function categoryOf(outcome: string): 'accepted' | RejectionCategory {
  return outcome === 'accepted' ? outcome : rejectionCategory(outcome as RejectionReason);
}
