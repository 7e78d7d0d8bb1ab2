import type { WebhookSecretUse } from '../../contract/forms/form.ts';
import * as contract from '../../contract/forms.ts';
import { countFormerSecretUses } from '../../db/forms/former-secret-uses.ts';
import { type FormRecord, findForm } from '../../db/forms/forms.ts';
import { findSecretIdentity } from '../../db/forms/webhook-secrets.ts';
import { hourMs } from '../../time/clock.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { viewSecretState } from './forms.ts';

export const webhookSecretUseRoutes = [
  route(contract.readWebhookSecretUse, async ({ params }, deps) => {
    const found = await findForm(deps.pool, params.workspace_id, params.form_id);
    if (found === null) throw notFound('form');
    const state = viewSecretState(found, deps.clock.now());
    const previous_use = state.previous_valid_until === null ? null : await previousUse(deps, found);
    const identity = await findSecretIdentity(deps.pool, params.workspace_id, params.form_id);
    return {
      ...state,
      prefix: identity?.prefix ?? null,
      set_by: identity?.setBy ?? null,
      last_verified_at: identity?.verifiedAt?.toISOString() ?? null,
      previous_use,
    };
  }),
];

async function previousUse(
  { pool, clock }: ManagementDeps,
  { id, workspaceId, secretSetAt, previousSecretValidUntil }: FormRecord,
): Promise<WebhookSecretUse['previous_use']> {
  const since = new Date(Math.max(clock.now() - hourMs, secretSetAt?.getTime() ?? 0));
  const until = previousSecretValidUntil ?? since;
  const { total, recent, recentLeads, lastAt } = await countFormerSecretUses(
    pool,
    workspaceId,
    id,
    until,
    since,
  );
  return {
    last_hour: { leads: recentLeads, by_previous: recent },
    by_previous: total,
    last_at: lastAt?.toISOString() ?? null,
  };
}
