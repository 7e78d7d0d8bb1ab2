import type { QuarantinedLead } from '../../contract/operator.ts';
import * as contract from '../../contract/operator.ts';
import {
  findQuarantineRow,
  listQuarantine,
  type QuarantineRecord,
} from '../../db/ingest/spool-quarantine.ts';
import { otherBodyKeptDays } from '../../domain/lead/idempotency.ts';
import { dayMs } from '../../time/clock.ts';
import { page } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import { discardQuarantined, missingRow, storeQuarantined } from './decisions.ts';

export const quarantineRoutes = [
  route(contract.listQuarantine, ({ query }, { pool }) =>
    page(query, {
      fetch: (request) => listQuarantine(pool, query.kind, request),
      position: ({ at, id }) => ({ at, id }),
      view: viewRow,
    }),
  ),
  route(contract.readQuarantined, async ({ params }, { pool }) =>
    viewRow((await findQuarantineRow(pool, params.quarantine_id)) ?? missingRow()),
  ),
  route(contract.storeQuarantined, ({ params, body, principal }, deps) =>
    storeQuarantined(deps, principal, params.quarantine_id, body.form_id),
  ),
  route(contract.discardQuarantined, ({ params, principal }, deps) =>
    discardQuarantined(deps, principal, params.quarantine_id),
  ),
];

function viewRow(row: QuarantineRecord): QuarantinedLead {
  const { id, reason: kind, at } = row;
  const expiresAt = kind === 'other_body' ? new Date(at.getTime() + otherBodyKeptDays * dayMs) : null;
  return {
    id,
    kind,
    reason: row.refusal,
    workspace_id: row.workspaceId,
    workspace_name: row.workspaceName,
    form_id: row.formId,
    submission_id: row.submissionId,
    surface: row.surface,
    received_at: row.receivedAt.toISOString(),
    quarantined_at: at.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    bytes: row.bytes,
  };
}
