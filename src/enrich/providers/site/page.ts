import { Parser } from 'htmlparser2';

/** What a page says about its owner, before it is checked. */
export interface Page {
  title: string;
  readonly meta: Map<string, string>;
  readonly links: string[];
  readonly icons: { readonly rel: string; readonly href: string }[];
  readonly jsonLd: string[];
  language: string | null;
}

const linksMax = 500;
const metaMax = 100;
const iconsMax = 20;
const jsonLdBlocksMax = 10;
const jsonLdCharactersMax = 65_536;
const textCharactersMax = 1_000;
// The parser's work for an element grows with its depth. No real page is this deep, and a crafted one must not hold up
// this process.
const depthMax = 500;
const charactersPerWrite = 4_096;

/** Reads only the few elements it needs. No script is run. */
export function readPage(html: string): Page {
  const page: Page = { title: '', meta: new Map(), links: [], icons: [], jsonLd: [], language: null };
  let reading: 'title' | 'json_ld' | null = null;
  let text = '';
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      reading = null;
      text = '';
      if (name === 'title' && page.title === '') reading = 'title';
      if (name === 'script' && attributes.type?.trim().toLowerCase() === 'application/ld+json')
        reading = 'json_ld';
      takeAttributes(page, name, attributes);
    },
    ontext(part) {
      if (reading !== null && text.length <= jsonLdCharactersMax) text += part;
    },
    onclosetag(name) {
      depth--;
      if (name === 'title' && reading === 'title') page.title = text.slice(0, textCharactersMax);
      const fits = page.jsonLd.length < jsonLdBlocksMax && text.length <= jsonLdCharactersMax;
      if (name === 'script' && reading === 'json_ld' && fits) page.jsonLd.push(text);
      reading = null;
    },
  });
  for (let start = 0; start < html.length && depth <= depthMax; start += charactersPerWrite) {
    parser.write(html.slice(start, start + charactersPerWrite));
  }
  parser.end();
  return page;
}

function takeAttributes(page: Page, name: string, attributes: Readonly<Record<string, string>>): void {
  if (name === 'html') page.language ??= attributes.lang ?? null;
  if (name === 'a' && attributes.href !== undefined && page.links.length < linksMax)
    page.links.push(attributes.href);
  if (name === 'meta') {
    const key = (attributes.property ?? attributes.name)?.toLowerCase();
    const isNew = key !== undefined && !page.meta.has(key) && page.meta.size < metaMax;
    if (isNew && attributes.content !== undefined)
      page.meta.set(key, attributes.content.slice(0, textCharactersMax));
  }
  if (name === 'link' && attributes.href !== undefined && page.icons.length < iconsMax) {
    const rel = attributes.rel?.toLowerCase() ?? '';
    if (/\bicon\b/.test(rel) || rel === 'apple-touch-icon') page.icons.push({ rel, href: attributes.href });
  }
}
