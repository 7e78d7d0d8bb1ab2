import type { FormerSlug } from '../../contract/forms/slug.ts';
import * as contract from '../../contract/forms.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  deleteFormerSlug,
  type FormerSlugRecord,
  findFormerSlugs,
  listFormerSlugs,
} from '../../db/forms/former-slugs.ts';
import { findFormForUpdate, lockSlugs, updateForm } from '../../db/forms/forms.ts';
import { requireOperator } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';

export const formerSlugRoutes = [
  route(contract.listFormerSlugs, ({ params, query }, { pool }) =>
    page(query, {
      fetch: (request) => listFormerSlugs(pool, params.workspace_id, request),
      position: ({ freedAt, id }) => ({ at: freedAt, id }),
      view: viewFormerSlug,
    }),
  ),
  route(contract.releaseFormerSlug, async ({ params, body, principal }, deps) => {
    requireOperator(principal, 'release a former slug');
    return viewFormerSlug(await release(deps, params.workspace_id, body.slug));
  }),
  route(contract.findFormerSlugHolders, async ({ query }, { pool }) => {
    const found = await findFormerSlugs(pool, query.slug);
    const items = found.map((record) => ({
      ...viewFormerSlug(record),
      workspace_name: record.workspaceName,
    }));
    return { items };
  }),
];

/** A new revision of the form lets the directory know. A deleted form has no former slugs there. */
async function release(deps: ManagementDeps, workspaceId: string, slug: string): Promise<FormerSlugRecord> {
  return changeDirectory(deps, async (client) => {
    await lockSlugs(client);
    const released = await deleteFormerSlug(client, workspaceId, slug);
    if (released === null) throw notFound('former slug of this workspace');
    const form = await findFormForUpdate(client, workspaceId, released.formId);
    if (form !== null)
      await updateForm(client, workspaceId, form.id, {}, await nextDirectoryRevision(client));
    return released;
  });
}

function viewFormerSlug({ slug, workspaceId, formId, freedAt }: FormerSlugRecord): FormerSlug {
  return { slug, workspace_id: workspaceId, form_id: formId, freed_at: freedAt.toISOString() };
}
