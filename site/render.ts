import { Marked, type Tokens } from 'marked';
import { breakable, escapeHtml, highlight } from './highlight.ts';
import { linkTarget, pictureAddress, siteAddress } from './links.ts';
import { sizeOfWebp } from './webp.ts';

export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** The plain text under each heading, for the search. */
  readonly passages: readonly { readonly heading: Heading; readonly text: string }[];
}

/** A Markdown file as HTML. `pages` are the files that are part of the site. */
export function renderPage(source: string, markdown: string, pages: ReadonlySet<string>): RenderedPage {
  const headings: Heading[] = [];
  const anchors = new Anchors();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const { explicit, inner } = explicitAnchor(this.parser.parseInline(tokens));
        const text = plainText(inner);
        const anchor = explicit ?? anchors.next(text);
        headings.push({ level: depth, anchor, text });
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        const label = escapeHtml(`Copy link to “${text}”`);
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></h${depth}>\n`;
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      codespan: ({ text }) => `<code>${breakable(text)}</code>`,
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = siteAddress(linkTarget(source, href), href, pages);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        const target = linkTarget(source, href);
        const address = pictureAddress(target);
        if (address === null || target.kind !== 'file')
          throw new Error(`${source} shows ${href}, which is not in docs/pictures.`);
        const { width, height } = sizeOfWebp(target.source);
        // The size keeps the page from moving when the image loads.
        return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      table(token: Tokens.Table) {
        const head = token.header.some(({ text }) => text !== '') ? row(token.header, 'th', this.parser) : '';
        const rows = token.rows.map((cells) => row(cells, 'td', this.parser)).join('');
        const shown = `<table>${head === '' ? '' : `<thead>${head}</thead>`}<tbody>${rows}</tbody></table>`;
        return `<div class="table" tabindex="0" role="group" aria-label="Table">${shown}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, headings, passages: passagesOf(html, headings) };
}

/** `### <a id="name"></a>Heading` keeps its anchor whatever the heading says. */
function explicitAnchor(html: string): { explicit: string | undefined; inner: string } {
  const [whole = '', explicit] = /^<a id="([\w-]+)"><\/a>/.exec(html) ?? [];
  return { explicit, inner: html.slice(whole.length) };
}

type InlineParser = { parseInline(tokens: Tokens.TableCell['tokens']): string };

function row(cells: readonly Tokens.TableCell[], tag: 'th' | 'td', parser: InlineParser): string {
  const scope = tag === 'th' ? ' scope="col"' : '';
  return `<tr>${cells.map(({ tokens }) => `<${tag}${scope}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
}

function codeBlock(text: string, info: string): string {
  const [language = ''] = info.split(' ');
  const label = language === '' ? 'Code' : `Code, ${language}`;
  return (
    `<div class="code"><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${highlight(text, language)}</code></pre>` +
    '<button type="button" class="copy" hidden>Copy</button></div>\n'
  );
}

function passagesOf(html: string, headings: readonly Heading[]): RenderedPage['passages'] {
  const parts = html.split(/(?=<h[1-6] id=")/).filter((part) => /^<h[1-6] id="/.test(part));
  return parts.flatMap((part, place) => {
    const heading = headings[place];
    if (heading === undefined) return [];
    const body = part.slice(part.indexOf('</h') + '</h1>'.length).replaceAll('>Copy</button>', '>');
    return [{ heading, text: plainText(body.replaceAll('><', '> <')).replace(/\s+/g, ' ').trim() }];
  });
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#x([\da-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&([a-z]+);/g, (whole, name) => entities[name] ?? whole);
}

/** Makes the same anchors as GitHub, so that links work in both places. */
class Anchors {
  readonly #seen = new Map<string, number>();

  next(text: string): string {
    const name = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = this.#seen.get(name) ?? 0;
    this.#seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}
