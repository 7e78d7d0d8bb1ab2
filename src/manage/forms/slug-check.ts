import { slugCheck, slugCheckQuery } from '../../contract/form-tools.ts';
import { isSlug, slugCharactersMax, slugFromName } from '../../domain/form.ts';
import { json, route } from '../calls/route.ts';
import { availableSlug } from './slugs.ts';

const shapeRule = `Use up to ${slugCharactersMax} lower-case letters, digits and hyphens; start and end with a letter or digit.`;

export const slugCheckRoutes = [
  route({
    method: 'get',
    path: '/workspaces/:workspace_id/slug-check',
    tag: 'Forms',
    summary: 'Ask whether a slug is available',
    description:
      'For inputs that answer while somebody types. Nothing is reserved: creating the form decides.',
    access: 'owner',
    query: slugCheckQuery,
    answer: json(200, slugCheck),
    async handle({ params, query }, { pool }) {
      const available = (stem: string) => availableSlug(pool, params.workspace_id, stem);
      const slug = query.slug ?? slugFromName(query.name ?? '');
      if (!isSlug(slug)) {
        const nearest = slugFromName(slug);
        const suggestion = nearest === '' ? null : await available(nearest);
        return { slug, free: false, problem: shapeRule, suggestion };
      }
      const suggestion = await available(slug);
      const free = suggestion === slug;
      if (query.slug === undefined) return { slug: suggestion, free: true, problem: null, suggestion: null };
      if (free) return { slug, free, problem: null, suggestion: null };
      return { slug, free, problem: 'This slug is not available.', suggestion };
    },
  }),
];
