import { z } from 'zod';
import { slug } from './form.ts';
import { pageOf, pageQuery } from './paging.ts';
import { id, line, strict, time } from './shape.ts';

export const formerSlug = z
  .object({
    slug: z.string(),
    workspace_id: id.describe('The only workspace that can use it.'),
    form_id: id.describe('The form that had it last; it may be deleted.'),
    freed_at: time,
  })
  .meta({ id: 'FormerSlug' });
export const formerSlugPage = pageOf(formerSlug).meta({ id: 'FormerSlugPage' });
export const formerSlugListQuery = strict(pageQuery);

export const formerSlugQuery = strict({ slug });
export const formerSlugHolders = z
  .object({
    items: z
      .array(formerSlug.extend({ workspace_name: z.string() }).meta({ id: 'FormerSlugHolder' }))
      .describe('Empty when it is no former slug. Several after workspaces have shared it.'),
  })
  .meta({ id: 'FormerSlugHolders' });

export const formerSlugRelease = strict({
  slug,
  reason: line(500).optional().describe('Why; owners of the workspace see it in the audit log.'),
}).meta({ id: 'FormerSlugRelease' });

export type FormerSlug = z.output<typeof formerSlug>;
export type FormerSlugHolders = z.output<typeof formerSlugHolders>;
