import type { Passage } from './browser/search-match.ts';
import type { Page } from './pages.ts';
import type { RenderedPage } from './render.ts';

/** One entry per heading: what it is called, where it stands, and what is written under it. */
export function searchPassages(page: Page, { passages }: RenderedPage): Passage[] {
  return passages.map(({ heading, text }) => ({
    address: heading.level === 1 ? page.address : `${page.address}#${heading.anchor}`,
    page: page.title,
    heading: heading.level === 1 ? '' : heading.text,
    text,
  }));
}
