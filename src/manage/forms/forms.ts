import { type Form, form, formChanges, formListQuery, formPage, newForm } from '../../contract/form.ts';
import { type FormRecord, findForm, listForms } from '../../db/forms/forms.ts';
import { type Principal, requireOperator } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { json, jsonPage, noContent, route } from '../calls/route.ts';
import { changeForm, createForm, deleteForm } from './form-changes.ts';

const tag = 'Forms';
const all = '/workspaces/:workspace_id/forms';
const one = '/workspaces/:workspace_id/forms/:form_id';

export const formRoutes = [
  route({
    method: 'post',
    path: all,
    tag,
    summary: 'Create a form',
    description: 'Without a slug, one is made from the name.',
    access: 'owner',
    audited: ['name', 'slug', 'active', 'replay_protection', 'allow_shared_slug'],
    body: newForm,
    answer: json(201, form),
    problems: ['slug_taken', 'quota_reached'],
    async handle({ params, body, principal }, deps) {
      checkSharing(principal, body);
      return viewForm(await createForm(deps, principal, params.workspace_id, body), deps.clock.now());
    },
  }),
  route({
    method: 'get',
    path: all,
    tag,
    summary: 'List forms',
    access: 'member',
    heavy: 'call',
    query: formListQuery,
    answer: jsonPage(formPage),
    handle: ({ params, query }, { pool, clock }) =>
      page(query, {
        fetch: (request) => listForms(pool, params.workspace_id, request),
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        view: (record) => viewForm(record, clock.now()),
      }),
  }),
  route({
    method: 'get',
    path: one,
    tag,
    summary: 'Read a form',
    access: 'member',
    answer: json(200, form),
    async handle({ params }, { pool, clock }) {
      const found = await findForm(pool, params.workspace_id, params.form_id);
      if (found === null) throw notFound('form');
      return viewForm(found, clock.now());
    },
  }),
  route({
    method: 'patch',
    path: one,
    tag,
    summary: 'Change a form',
    description:
      'What is left out stays as it is. Leads sent to a former slug are rejected; it stays reserved for the workspace.',
    access: 'owner',
    audited: ['name', 'slug', 'active', 'replay_protection', 'allow_shared_slug'],
    body: formChanges,
    answer: json(200, form),
    problems: ['slug_taken', 'too_many_former_slugs', 'too_many_slug_changes'],
    async handle({ params, body, principal }, deps) {
      checkSharing(principal, body);
      const changed = await changeForm(deps, params.workspace_id, params.form_id, body);
      return viewForm(changed, deps.clock.now());
    },
  }),
  route({
    method: 'delete',
    path: one,
    tag,
    summary: 'Delete a form',
    description:
      'Its leads stay. Its webhook secret is erased, and its slug stays reserved for the workspace.',
    access: 'owner',
    answer: noContent,
    problems: ['too_many_former_slugs', 'too_many_slug_changes'],
    handle: ({ params }, deps) => deleteForm(deps, params.workspace_id, params.form_id),
  }),
];

function checkSharing(
  principal: Principal,
  body: { readonly allow_shared_slug?: boolean | undefined },
): void {
  if (body.allow_shared_slug === true) requireOperator(principal, 'share a slug between workspaces');
}

function viewForm(record: FormRecord, now: number): Form {
  const { id, workspaceId, name, slug, active, fields, replayProtection, createdAt } = record;
  return {
    id,
    workspace_id: workspaceId,
    name,
    slug,
    active,
    fields: [...fields],
    replay_protection: replayProtection,
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
