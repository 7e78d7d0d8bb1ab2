import { z } from 'zod';
import { id, line, pageOf, pageQuery, strict, time } from '../shape.ts';
import { slug } from './form.ts';

export const formerSlug = z
  .object({
    slug: z.string(),
    workspace_id: id.describe('The only workspace that can use it.'),
    form_id: id.describe('The last form that used it; it may be deleted.'),
    freed_at: time,
    alias_until: time
      .nullable()
      .describe('Until when requests to it still reach the form; null if they are rejected.'),
    alias_used_at: time
      .nullable()
      .describe('When the form last got a request by the alias, within seconds; null without an alias.'),
  })
  .meta({ id: 'FormerSlug' });
export const formerSlugPage = pageOf(formerSlug).meta({ id: 'FormerSlugPage' });
export const formerSlugListQuery = strict(pageQuery);

export const formerSlugQuery = strict({ slug });
export const formerSlugHolders = z
  .object({
    items: z
      .array(formerSlug.extend({ workspace_name: z.string() }).meta({ id: 'FormerSlugHolder' }))
      .describe('Empty if it is not a former slug. Several if workspaces shared it.'),
  })
  .meta({ id: 'FormerSlugHolders' });

export const formerSlugRelease = strict({
  slug,
  reason: line(500)
    .optional()
    .describe('Why you release it. Owners of the workspace see it in the audit log.'),
}).meta({ id: 'FormerSlugRelease' });

export const aliasEnd = strict({ slug }).meta({ id: 'AliasEnd' });

export const slugCheckQuery = strict({
  slug: z.string().max(200).optional().describe('The slug to check.'),
  name: z.string().max(200).optional().describe('If there is no slug: the name to make one from.'),
});

export const slugCheck = z
  .object({
    slug: z.string().describe('The slug that was checked, or the one made from the name.'),
    free: z.boolean().describe('Whether a form of this workspace can use it.'),
    problem: z.string().nullable().describe('Why a form cannot use it.'),
    suggestion: z.string().nullable().describe('A similar slug that is available.'),
  })
  .meta({ id: 'SlugCheck' });

export type FormerSlug = z.output<typeof formerSlug>;
export type FormerSlugHolders = z.output<typeof formerSlugHolders>;
