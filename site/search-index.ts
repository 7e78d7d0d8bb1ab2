import type { Passage } from './browser/search-match.ts';
import { insideSection } from './navigation.ts';
import type { Page } from './pages.ts';
import type { RenderedPage } from './render.ts';

// How Leadgate is made, and what changed when, is what few search for, and it speaks of everything.
const insideWeight = 0.35;
// Each of the many pages of reasons has the same parts; what is asked for is mostly their beginning.
const reasonPartWeight = 0.5;

/** One entry per heading: what it is called, where it stands, and what is written under it. */
export function searchPassages(page: Page, { passages }: RenderedPage): Passage[] {
  return passages.map(({ heading, text }) => ({
    address: heading.level === 1 ? page.address : `${page.address}#${heading.anchor}`,
    page: page.title,
    heading: heading.level === 1 ? '' : heading.text,
    text,
    weight: weightOf(page, heading.level),
  }));
}

function weightOf({ section, address }: Page, level: number): number {
  if (section === insideSection) return insideWeight;
  return address.startsWith('/docs/reasons/') && level > 1 ? reasonPartWeight : 1;
}
