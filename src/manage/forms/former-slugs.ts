import type { FormerSlug } from '../../contract/forms/slug.ts';
import * as contract from '../../contract/forms.ts';
import {
  deleteFormerSlug,
  type FormerSlugRecord,
  findFormerSlugs,
  listFormerSlugs,
} from '../../db/forms/former-slugs.ts';
import { lockSlugs } from '../../db/forms/forms.ts';
import { inTransaction } from '../../db/pool.ts';
import { requireOperator } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const formerSlugRoutes = [
  route(contract.listFormerSlugs, ({ params, query }, { pool }) =>
    page(query, {
      fetch: (request) => listFormerSlugs(pool, params.workspace_id, request),
      position: ({ freedAt, id }) => ({ at: freedAt, id }),
      view: viewFormerSlug,
    }),
  ),
  route(contract.releaseFormerSlug, async ({ params, body, principal }, { pool }) => {
    requireOperator(principal, 'release a former slug');
    const released = await inTransaction(pool, async (client) => {
      await lockSlugs(client);
      return deleteFormerSlug(client, params.workspace_id, body.slug);
    });
    if (released === null) throw notFound('former slug of this workspace');
    return viewFormerSlug(released);
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

function viewFormerSlug({ slug, workspaceId, formId, freedAt }: FormerSlugRecord): FormerSlug {
  return { slug, workspace_id: workspaceId, form_id: formId, freed_at: freedAt.toISOString() };
}
