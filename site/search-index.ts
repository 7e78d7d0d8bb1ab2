import type { Passage } from './browser/search-match.ts';
import { insideSection } from './navigation.ts';
import type { Page } from './pages.ts';
import type { RenderedPage } from './render.ts';

// Few people search for internals and changes, but those pages mention everything.
const insideWeight = 0.35;
// Rejection reasons and commands share most of their words; their names find them all the same.
const entryWeight = 0.45;

/** One passage per heading, with the text under it. */
export function searchPassages(page: Page, { passages }: RenderedPage): Passage[] {
  return passages
    .filter(({ heading, text }) => heading.level === 1 || text !== '')
    .map(({ heading, text }) => ({
      address: heading.level === 1 ? page.address : `${page.address}#${heading.anchor}`,
      page: page.title,
      heading: heading.level === 1 ? '' : heading.text,
      text,
      weight: weightOf(page, heading.level),
    }));
}

function weightOf({ section }: Page, level: number): number {
  if (section === insideSection) return insideWeight;
  return level > 2 ? entryWeight : 1;
}
