import { breakable, escapeHtml } from './highlight.ts';
import type { Page, Section } from './pages.ts';
import type { Heading } from './render.ts';

const svg = (paths: string) =>
  `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

const icons = {
  menu: svg('<path d="M4 7h16M4 12h16M4 17h10"/>'),
  search: svg('<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>'),
  scheme: svg('<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>'),
  mark: '<img src="/docs/favicon.svg" width="24" height="24" alt="">',
};

export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly searchIndex: string;
}

export interface Shown {
  readonly page: Pick<Page, 'address' | 'title' | 'section'>;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly previous: Page | undefined;
  readonly next: Page | undefined;
}

/** One page of the site. Only search, copy buttons and the light/dark switch need the script. */
export function layout(shown: Shown, sections: readonly Section[], assets: Assets): string {
  const { page } = shown;
  const title = page.address === '/docs' ? 'Leadgate documentation' : `${page.title} · Leadgate`;
  return `<!doctype html>
<html lang="en" data-search="${assets.searchIndex}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<script src="/docs/color-scheme.js"></script>
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${header()}
<div class="frame">
<nav id="navigation" class="navigation" aria-label="Documentation" popover>${sections.map((section) => sectionList(section, page)).join('')}</nav>
<main id="content" tabindex="-1">
<p class="section">${escapeHtml(page.section)}</p>
${contents(shown.headings, 'phone')}
<article>
${shown.html}</article>
${neighbours(shown)}
</main>
${contents(shown.headings, 'wide')}
</div>
${searchDialog()}
</body>
</html>
`;
}

function header(): string {
  return `<header class="header">
<button type="button" class="button menu" popovertarget="navigation" aria-label="Pages">${icons.menu}</button>
<a class="brand" href="/docs">${icons.mark}<span>Leadgate</span><span class="faint">Docs</span></a>
<button type="button" class="search" id="search-open" aria-label="Search" hidden>${icons.search}<span>Search</span><kbd>/</kbd></button>
<nav class="links" aria-label="Service"><a href="/api/reference">API</a><a href="/">Settings area</a></nav>
<button type="button" class="button" id="scheme" aria-label="Switch between light and dark" hidden>${icons.scheme}</button>
</header>`;
}

function sectionList({ title, isFolded, pages }: Section, current: Shown['page']): string {
  if (pages.length === 0) return '';
  const items = pages.map(
    ({ address, title: name }) =>
      `<li><a href="${address}"${address === current.address ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`,
  );
  const list = `<ul>${items.join('')}</ul>`;
  if (!isFolded) return `<p class="group">${escapeHtml(title)}</p>${list}`;
  const isOpen = pages.some(({ address }) => address === current.address);
  return `<details${isOpen ? ' open' : ''}><summary class="group">${escapeHtml(title)}</summary>${list}</details>`;
}

function contents(headings: readonly Heading[], kind: 'phone' | 'wide'): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return kind === 'wide' ? '<div class="contents wide"></div>' : '';
  const items = shown.map(
    ({ level, anchor, text }) =>
      `<li class="level-${level}"><a href="#${anchor}">${breakable(text)}</a></li>`,
  );
  const list = `<ul>${items.join('')}</ul>`;
  return kind === 'wide'
    ? `<nav class="contents wide" aria-label="On this page"><p class="group">On this page</p>${list}</nav>`
    : `<details class="contents phone"><summary>On this page</summary>${list}</details>`;
}

function neighbours({ previous, next }: Shown): string {
  const link = (page: Page | undefined, rel: 'prev' | 'next', label: string) =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${page.address}"><span class="faint">${label}</span>${escapeHtml(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}

function searchDialog(): string {
  return `<dialog id="search" aria-label="Search the documentation">
<input type="search" role="combobox" aria-label="Search the documentation" aria-controls="found" aria-expanded="false" aria-autocomplete="list" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
<div id="found" role="listbox" aria-label="Results"></div>
<p id="found-status" role="status"></p>
</dialog>`;
}
