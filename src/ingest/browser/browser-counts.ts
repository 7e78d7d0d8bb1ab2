import type { FormEntry } from '../directory/directory.ts';

/**
 * Counts what web pages do, by form and origin, so that an owner can tell a page that is broken from an attack. The origin
 * is '' unless the form allows it: anything else is what its sender likes.
 */
export interface BrowserCounts {
  count(form: FormEntry, origin: string, step: string, at: number): void;
}
