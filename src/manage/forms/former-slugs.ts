import type { FormerSlug } from '../../contract/forms/slug.ts';
import * as contract from '../../contract/forms.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  clearAlias,
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
  route(contract.listFormerSlugs, ({ params, query }, { pool, clock }) =>
    page(query, {
      fetch: (request) => listFormerSlugs(pool, params.workspace_id, request),
      position: ({ freedAt, id }) => ({ at: freedAt, id }),
      view: (record) => viewFormerSlug(record, clock.now()),
    }),
  ),
  route(contract.endAlias, async ({ params, body }, deps) => {
    const ended = await changeFormerSlug(deps, params.workspace_id, body.slug, clearAlias);
    return viewFormerSlug(ended, deps.clock.now());
  }),
  route(contract.releaseFormerSlug, async ({ params, body, principal }, deps) => {
    requireOperator(principal, 'release a former slug');
    const released = await changeFormerSlug(deps, params.workspace_id, body.slug, deleteFormerSlug);
    return viewFormerSlug({ ...released, aliasUntil: null }, deps.clock.now());
  }),
  route(contract.findFormerSlugHolders, async ({ query }, { pool, clock }) => {
    const found = await findFormerSlugs(pool, query.slug);
    const items = found.map((record) => ({
      ...viewFormerSlug(record, clock.now()),
      workspace_name: record.workspaceName,
    }));
    return { items };
  }),
];

/** A new revision of the form lets the directory know. A deleted form has no former slugs there. */
async function changeFormerSlug(
  deps: ManagementDeps,
  workspaceId: string,
  slug: string,
  change: typeof clearAlias | typeof deleteFormerSlug,
): Promise<FormerSlugRecord> {
  return changeDirectory(deps, async (client) => {
    await lockSlugs(client);
    const changed = await change(client, workspaceId, slug);
    if (changed === null) throw notFound('former slug of this workspace');
    const form = await findFormForUpdate(client, workspaceId, changed.formId);
    if (form !== null)
      await updateForm(client, workspaceId, form.id, {}, await nextDirectoryRevision(client));
    return changed;
  });
}

function viewFormerSlug(record: FormerSlugRecord, now: number): FormerSlug {
  const { slug, workspaceId, formId, freedAt, aliasUntil, aliasUsedAt } = record;
  const isAlias = aliasUntil !== null && now < aliasUntil.getTime();
  return {
    slug,
    workspace_id: workspaceId,
    form_id: formId,
    freed_at: freedAt.toISOString(),
    alias_until: isAlias ? aliasUntil.toISOString() : null,
    alias_used_at: isAlias ? (aliasUsedAt?.toISOString() ?? null) : null,
  };
}
