import type { Form } from '../../contract/forms/form.ts';
import * as contract from '../../contract/forms.ts';
import { type FormRecord, findForm, listForms } from '../../db/forms/forms.ts';
import { type Principal, requireOperator } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { changeForm, createForm, deleteForm } from './form-changes.ts';

export const formRoutes = [
  route(contract.createForm, async ({ params, body, principal }, deps) => {
    checkSharing(principal, body);
    return viewForm(await createForm(deps, principal, params.workspace_id, body), deps.clock.now());
  }),
  route(contract.listForms, ({ params, query }, { pool, clock }) =>
    page(query, {
      fetch: (request) => listForms(pool, params.workspace_id, request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: (record) => viewForm(record, clock.now()),
    }),
  ),
  route(contract.readForm, async ({ params }, { pool, clock }) => {
    const found = await findForm(pool, params.workspace_id, params.form_id);
    if (found === null) throw notFound('form');
    return viewForm(found, clock.now());
  }),
  route(contract.changeForm, async ({ params, body, principal }, deps) => {
    checkSharing(principal, body);
    const changed = await changeForm(deps, params.workspace_id, params.form_id, body);
    return viewForm(changed, deps.clock.now());
  }),
  route(contract.deleteForm, ({ params }, deps) => deleteForm(deps, params.workspace_id, params.form_id)),
];

function checkSharing(
  principal: Principal,
  body: { readonly allow_shared_slug?: boolean | undefined },
): void {
  if (body.allow_shared_slug === true) requireOperator(principal, 'share a slug between workspaces');
}

function viewForm(record: FormRecord, now: number): Form {
  const { id, workspaceId, name, slug, active, fields, replayProtection, keepsRejected, createdAt } = record;
  return {
    id,
    workspace_id: workspaceId,
    name,
    slug,
    active,
    fields: [...fields],
    replay_protection: replayProtection,
    keeps_rejected: keepsRejected,
    unknown_keys: record.unknownKeys,
    ignored_keys: [...record.ignoredKeys],
    created_at: createdAt.toISOString(),
    webhook_secret: viewSecretState(record, now),
  };
}

export function viewSecretState({ secretSetAt, previousSecretValidUntil }: FormRecord, now: number) {
  const overlapping = previousSecretValidUntil !== null && previousSecretValidUntil.getTime() > now;
  return {
    configured: secretSetAt !== null,
    set_at: secretSetAt?.toISOString() ?? null,
    previous_valid_until: overlapping ? previousSecretValidUntil.toISOString() : null,
  };
}
