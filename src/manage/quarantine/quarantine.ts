import {
  type QuarantinedLead,
  quarantinedLead,
  quarantinePage,
  quarantineQuery,
  quarantineStoring,
} from '../../contract/quarantine.ts';
import {
  findQuarantineRow,
  listQuarantine,
  type QuarantineRecord,
} from '../../db/ingest/spool-quarantine.ts';
import { otherBodyKeptDays } from '../../domain/lead/idempotency.ts';
import { dayMs } from '../../time/clock.ts';
import { page } from '../calls/page.ts';
import { json, jsonPage, noContent, route } from '../calls/route.ts';
import { discardQuarantined, missingRow, storeQuarantined } from './decisions.ts';

const tag = 'Operator';
const one = '/operator/quarantine/:quarantine_id';

export const quarantineRoutes = [
  route({
    method: 'get',
    path: '/operator/quarantine',
    tag,
    summary: 'List the quarantine',
    description: 'Spooled leads that could not be stored, newest first. Bodies are not shown.',
    access: 'operator',
    query: quarantineQuery,
    answer: jsonPage(quarantinePage),
    handle: ({ query }, { pool }) =>
      page(query, {
        fetch: (request) => listQuarantine(pool, query.kind, request),
        position: ({ at, id }) => ({ at, id }),
        view: viewRow,
      }),
  }),
  route({
    method: 'get',
    path: one,
    tag,
    summary: 'Read a row of the quarantine',
    access: 'operator',
    answer: json(200, quarantinedLead),
    handle: async ({ params }, { pool }) =>
      viewRow((await findQuarantineRow(pool, params.quarantine_id)) ?? missingRow()),
  }),
  route({
    method: 'post',
    path: `${one}/store`,
    tag,
    summary: 'Store a quarantined lead',
    description: [
      'The lead is stored under the id its sender was told, with the score it had, and the row is gone. While PostgreSQL still refuses it:',
      '`409` with the reason.',
    ].join(' '),
    access: 'operator',
    audit: 'itself',
    body: quarantineStoring,
    answer: noContent,
    problems: ['not_storable'],
    handle: ({ params, body, principal }, deps) =>
      storeQuarantined(deps, principal, params.quarantine_id, body.form_id),
  }),
  route({
    method: 'post',
    path: `${one}/discard`,
    tag,
    summary: 'Discard a quarantined lead',
    description: 'The lead is gone for good, although its sender was told that it is stored.',
    access: 'operator',
    audit: 'itself',
    answer: noContent,
    handle: ({ params, principal }, deps) => discardQuarantined(deps, principal, params.quarantine_id),
  }),
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
