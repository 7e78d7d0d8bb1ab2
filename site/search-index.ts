import type { Passage } from './browser/search-match.ts';
import { insideSection } from './navigation.ts';
import type { Page } from './pages.ts';
import type { RenderedPage } from './render.ts';

// How Leadgate is made, and what changed when, is what few search for, and it speaks of everything.
const insideWeight = 0.35;
// One of many entries of the same kind, such as a rejection reason or a command: found by its name, not by words they share.
const entryWeight = 0.45;

/** One entry per heading: what it is called, where it stands, and what is written under it. */
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
