import {
  type FormerSlug,
  formerSlug,
  formerSlugHolders,
  formerSlugListQuery,
  formerSlugPage,
  formerSlugQuery,
  formerSlugRelease,
} from '../../contract/former-slug.ts';
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
import { json, jsonPage, route } from '../calls/route.ts';

export const formerSlugRoutes = [
  route({
    method: 'get',
    path: '/workspaces/:workspace_id/former-slugs',
    tag: 'Forms',
    summary: 'List former slugs',
    description: 'Slugs that forms of the workspace gave up. No other workspace can use them.',
    access: 'owner',
    operatorsToo: true,
    query: formerSlugListQuery,
    answer: jsonPage(formerSlugPage),
    handle: ({ params, query }, { pool }) =>
      page(query, {
        fetch: (request) => listFormerSlugs(pool, params.workspace_id, request),
        position: ({ freedAt, id }) => ({ at: freedAt, id }),
        view: viewFormerSlug,
      }),
  }),
  route({
    method: 'post',
    path: '/workspaces/:workspace_id/former-slugs/release',
    tag: 'Operator',
    summary: 'Release a former slug',
    description: [
      'For operators. Any workspace can use the slug from then on, and can read what the old senders still post to it:',
      'make sure that nobody does.',
    ].join(' '),
    access: 'owner',
    operatorsToo: true,
    audited: ['slug', 'reason'],
    body: formerSlugRelease,
    answer: json(200, formerSlug),
    async handle({ params, body, principal }, { pool }) {
      requireOperator(principal, 'release a former slug');
      const released = await inTransaction(pool, async (client) => {
        await lockSlugs(client);
        return deleteFormerSlug(client, params.workspace_id, body.slug);
      });
      if (released === null) throw notFound('former slug of this workspace');
      return viewFormerSlug(released);
    },
  }),
  route({
    method: 'get',
    path: '/operator/former-slugs',
    tag: 'Operator',
    summary: 'Find out whose former slug it is',
    access: 'operator',
    query: formerSlugQuery,
    answer: json(200, formerSlugHolders),
    async handle({ query }, { pool }) {
      const found = await findFormerSlugs(pool, query.slug);
      const items = found.map((record) => ({
        ...viewFormerSlug(record),
        workspace_name: record.workspaceName,
      }));
      return { items };
    },
  }),
];

function viewFormerSlug({ slug, workspaceId, formId, freedAt }: FormerSlugRecord): FormerSlug {
  return { slug, workspace_id: workspaceId, form_id: formId, freed_at: freedAt.toISOString() };
}
