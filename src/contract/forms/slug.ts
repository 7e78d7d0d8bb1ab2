import { z } from 'zod';
import { id, line, pageOf, pageQuery, strict, time } from '../shape.ts';
import { slug } from './form.ts';

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

export const slugCheckQuery = strict({
  slug: z.string().max(200).optional().describe('The slug that somebody types.'),
  name: z.string().max(200).optional().describe('Without a slug: the name from which one is made.'),
});

export const slugCheck = z
  .object({
    slug: z.string().describe('The slug that was asked about, or that would be made from the name.'),
    free: z.boolean().describe('Whether a form of this workspace can have it.'),
    problem: z.string().nullable().describe('Why a form cannot have it.'),
    suggestion: z.string().nullable().describe('A similar one that is available.'),
  })
  .meta({ id: 'SlugCheck' });

export type FormerSlug = z.output<typeof formerSlug>;
export type FormerSlugHolders = z.output<typeof formerSlugHolders>;
