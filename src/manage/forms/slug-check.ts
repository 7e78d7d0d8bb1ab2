import * as contract from '../../contract/forms.ts';
import { isSlug, slugCharactersMax, slugFromName } from '../../domain/form.ts';
import { route } from '../calls/route.ts';
import { availableSlug, slugStem } from './slugs.ts';

const shapeRule = `Use up to ${slugCharactersMax} lower-case letters, digits and hyphens; start and end with a letter or digit.`;

export const slugCheckRoutes = [
  route(contract.checkSlug, async ({ params, query }, { pool }) => {
    const available = (stem: string) => availableSlug(pool, params.workspace_id, stem);
    const name = query.name?.trim() ?? '';
    const slug = query.slug ?? (name === '' ? '' : slugStem(name));
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
  }),
];
