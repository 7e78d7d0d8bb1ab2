import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { leadName } from './deliver/deliver-rows.ts';
import type { QuarantineRow, Tables } from './tables.ts';
import type { Transaction } from './transaction.ts';
import { bytesName, uuidText, type WorkspaceRows } from './workspace-rows.ts';

/** Whether an erasure covers this copy, under either of its ids: is_copy_of_erased of migrations/0022. */
export function wasErased(
  { erasures }: WorkspaceRows,
  { submissionId, nextSubmissionId, receivedAt }: SpooledLead,
  lifetimeMs: number,
): boolean {
  if (erasures.size === 0) return false;
  return [submissionId, nextSubmissionId].some(
    (id) =>
      id !== null &&
      erasures
        .get(id)
        ?.some(
          (erasure) =>
            receivedAt <= erasure.erasedAt &&
            receivedAt > erasure.receivedAt - lifetimeMs &&
            receivedAt < erasure.receivedAt + lifetimeMs,
        ),
  );
}

/** quarantine_lead of migrations/0022. False when the row already exists, or when its lead was erased. */
export function quarantineLead(
  tables: Tables,
  transaction: Transaction,
  lead: SpooledLead,
  { at, reason, refusal }: Pick<QuarantineRow, 'at' | 'reason' | 'refusal'>,
): boolean {
  const { quarantine, limits } = tables;
  const rows = tables.workspace(lead.shard, lead.workspaceId);
  const name = [rows.id, lead.submissionId, reason, bytesName(lead.body)].join(' ');
  if (wasErased(rows, lead, limits.keyLifetimeMs) || quarantine.has(name)) return false;
  const { submissionId, formId, surface, receivedAt } = lead;
  transaction.set(quarantine, name, {
    at,
    reason,
    refusal,
    workspaceId: rows.id,
    submissionId,
    formId,
    surface,
    receivedAt,
    body: Buffer.from(lead.body),
    spooled: lead,
  });
  return true;
}

/**
 * eraseLead of src/manage/leads/lead-erasure.ts, for the tables that the model has. `bodyHash` is the keyed hash of the lead's
 * body. False when there is no such lead.
 */
export function eraseLead(
  tables: Tables,
  transaction: Transaction,
  rows: WorkspaceRows,
  submissionId: string,
  { now, bodyHashOf }: { readonly now: number; readonly bodyHashOf: (body: Buffer) => Buffer },
): boolean {
  const { quarantine, limits } = tables;
  const lead = rows.leads.get(submissionId);
  if (lead === undefined) return false;
  transaction.delete(rows.leads, submissionId);
  const { receivedAt, body } = lead;
  const bodyHash = bodyHashOf(body);
  const others = (rows.erasures.get(submissionId) ?? []).filter((row) => row.receivedAt !== receivedAt);
  const erasure = { receivedAt, erasedAt: Math.max(now, receivedAt), bodyHash };
  transaction.set(rows.erasures, submissionId, [...others, erasure]);
  for (const [name, row] of quarantine) {
    if (row.workspaceId !== rows.id) continue;
    const isOneUse = Math.abs(row.receivedAt - receivedAt) < limits.keyLifetimeMs;
    if ((row.submissionId === submissionId && isOneUse) || row.body.equals(body))
      transaction.delete(quarantine, name);
  }
  tables.held.remove(
    transaction,
    (request) => request.workspaceId === rows.id && request.bodyHash.equals(bodyHash),
  );
  transaction.delete(tables.held.recoveries, leadName(rows.id, submissionId));
  tables.deliver.cancelOfLead(rows.id, submissionId);
  tables.noteOne(rows.id, submissionId, 'lead.erased', erasure.erasedAt, { form_id: uuidText(lead.formId) });
  return true;
}
