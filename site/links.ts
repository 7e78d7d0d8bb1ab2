import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { addressOf, root } from './pages.ts';

/** Where a link in a Markdown file leads. Paths are relative to the file. */
export type LinkTarget =
  | { readonly kind: 'outside' }
  | { readonly kind: 'page'; readonly source: string; readonly anchor: string | null }
  | { readonly kind: 'file'; readonly source: string }
  | { readonly kind: 'missing' };

export function linkTarget(source: string, href: string): LinkTarget {
  if (/^[a-z]+:/i.test(href) || href.startsWith('//') || href.startsWith('/')) return { kind: 'outside' };
  const [path = '', anchor] = href.split('#');
  const file = path === '' ? source : posix.normalize(posix.join(posix.dirname(source), decodeURI(path)));
  if (file.startsWith('..') || !existsSync(join(root, file))) return { kind: 'missing' };
  if (file.endsWith('.md')) return { kind: 'page', source: file, anchor: anchor ?? null };
  return { kind: 'file', source: file };
}

/** The site serves the files that readers need as plain text. Links to other files become plain words. */
export function isOfferedFile(source: string): boolean {
  return /^(?:clients|packaging)\//.test(source) && statSync(join(root, source)).isFile();
}

const picturesFolder = 'docs/pictures/';

/** The site serves the same screenshots that GitHub shows. */
export function pictureAddress(target: LinkTarget): string | null {
  const isPicture = target.kind === 'file' && target.source.startsWith(picturesFolder);
  return isPicture ? `/docs/pictures/${target.source.slice(picturesFolder.length)}` : null;
}

export function fileAddress(source: string): string {
  return `/docs/files/${source}.txt`;
}

/** The URL on the site, or null if the target is not part of it. */
export function siteAddress(target: LinkTarget, href: string, pages: ReadonlySet<string>): string | null {
  switch (target.kind) {
    case 'outside':
      return href;
    case 'page':
      if (!pages.has(target.source)) return null;
      return addressOf(target.source) + (target.anchor === null ? '' : `#${target.anchor}`);
    case 'file':
      return isOfferedFile(target.source) ? fileAddress(target.source) : null;
    case 'missing':
      return null;
  }
}
