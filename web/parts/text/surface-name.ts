import type { Lead } from '../../../src/contract/leads/lead.ts';

type Surface = Lead['surface'];

/** What people call each surface, as in the middle of a sentence. */
export const surfaceNames: Readonly<Record<Surface, string>> = {
  server: 'token',
  webhook: 'webhook',
  browser: 'web page',
};

export const surfaceTitle = (surface: Surface) =>
  surfaceNames[surface].charAt(0).toUpperCase() + surfaceNames[surface].slice(1);

/** For filters. */
export const anySurface = 'Any surface';
export const surfaceChoices = (Object.keys(surfaceNames) as Surface[]).map((value) => ({
  value,
  label: surfaceTitle(value),
}));
