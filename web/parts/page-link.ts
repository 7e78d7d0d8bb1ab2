import type { Search } from '../routes.tsx';

/** The address of a page for a link: a path that is written out, and what stands behind its question mark. */
export function pageLink(path: string, search: Search = {}) {
  // The router types paths by their pattern, which a written-out path has no more.
  return { to: path as '/', search: search as never };
}
