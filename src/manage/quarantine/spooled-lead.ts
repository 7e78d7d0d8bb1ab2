import type pg from 'pg';
import { binaryUuid } from '../../db/binary.ts';
import { findFormScoring } from '../../db/forms/form-scoring.ts';
import { type FormRecord, findForm, listForms } from '../../db/forms/forms.ts';
import type { SpooledLead } from '../../db/ingest/ingest-drain.ts';
import type { QuarantinedLead } from '../../db/ingest/spool-quarantine.ts';
import { shardOf } from '../../domain/workspace.ts';
import { pageBytesMax } from '../calls/page.ts';
import { invalidInput, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** The lead as it was in the spool. Its body is parsed in a thread, because that can take long. */
export async function spooledLead(
  { scoring: thread }: ManagementDeps,
  client: pg.PoolClient,
  row: QuarantinedLead,
  formId: string | undefined,
): Promise<SpooledLead> {
  const { body, spooled } = row;
  const receivedAt = row.receivedAt.getTime();
  if (spooled !== null) {
    const [parsed] = await thread.ask({ leads: [{ body, receivedAt }], scoring: null });
    return { ...spooled, projection: Buffer.from(parsed?.projection ?? '{}') };
  }
  const form = await formOf(client, row, formId);
  const scoring = await findFormScoring(client, row.workspaceId, form.id);
  if (scoring === null) throw unknownForm();
  const { settings, version, learned } = scoring;
  const [scored] = await thread.ask({
    leads: [{ body, receivedAt }],
    scoring: { fields: form.fields, settings, version, learned },
  });
  if (scored?.projection == null || scored.score === null)
    throw new Problem('not_storable', 'The body is not a JSON object. Discard it.');
  return {
    shard: shardOf(row.workspaceId),
    workspaceId: binaryUuid(row.workspaceId),
    submissionId: row.submissionId,
    formId: binaryUuid(form.id),
    tokenId: null,
    surface: row.surface,
    receivedAt,
    body,
    projection: Buffer.from(scored.projection),
    score: scored.score,
    key: null,
    signed: null,
    nextSubmissionId: null,
  };
}

/** An earlier version did not record the form. If the workspace has only one, it is that. */
async function formOf(
  client: pg.PoolClient,
  { workspaceId }: QuarantinedLead,
  formId: string | undefined,
): Promise<FormRecord> {
  if (formId !== undefined) {
    const form = await findForm(client, workspaceId, formId);
    if (form === null) throw unknownForm();
    return form;
  }
  const { rows } = await listForms(client, workspaceId, { after: null, limit: 2, bytesMax: pageBytesMax });
  const [only, another] = rows;
  if (only === undefined || another !== undefined) throw unknownForm();
  return only;
}

function unknownForm(): Problem {
  return invalidInput([
    {
      field: 'form_id',
      message: 'send a form of the workspace; an earlier version did not record it',
    },
  ]);
}
